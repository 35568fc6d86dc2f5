import { Button, FileButton } from '@mantine/core';
import { useRef } from 'react';
import { Icon } from '../layout/icons.tsx';

/** Button that chooses a CSV file. */
export function ChooseFile({
  label,
  text,
  isPending,
  hasFile,
  onFile,
}: {
  /** Name of the file input for screen readers. */
  label: string;
  text: string;
  isPending: boolean;
  hasFile: boolean;
  onFile: (file: File) => void;
}) {
  const forget = useRef<() => void>(null);
  return (
    <FileButton
      accept=".csv,text/csv,text/plain"
      inputProps={{ 'aria-label': label }}
      resetRef={forget}
      onChange={(file) => {
        // Lets the user pick the same file again after correcting it.
        forget.current?.();
        if (file) onFile(file);
      }}
    >
      {(props) => (
        <Button
          {...props}
          data-autofocus
          variant={hasFile ? 'default' : 'filled'}
          loading={isPending}
          leftSection={<Icon name="upload" size={16} />}
        >
          {text}
        </Button>
      )}
    </FileButton>
  );
}
