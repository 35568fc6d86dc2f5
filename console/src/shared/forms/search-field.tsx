import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { Icon } from '../layout/icons.tsx';

const typingMs = 250;

/** Search field of a list; reports the text after a pause in typing. */
export function SearchField({
  label,
  value,
  maxLength,
  className,
  onFind,
}: {
  label: string;
  /** What the list shows now. */
  value: string;
  maxLength?: number;
  className?: string | undefined;
  onFind: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText((typed) => (typed.trim() === value ? typed : value)), [value]);
  const find = useDebouncedCallback((typed: string) => onFind(typed.trim()), typingMs);
  return (
    <search className={className}>
      <TextInput
        type="search"
        aria-label={label}
        placeholder={label}
        leftSection={<Icon name="search" size={16} />}
        value={text}
        {...(maxLength !== undefined && { maxLength })}
        onChange={({ currentTarget: { value: typed } }) => {
          setText(typed);
          find(typed);
        }}
      />
    </search>
  );
}
