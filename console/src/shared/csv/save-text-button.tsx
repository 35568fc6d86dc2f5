import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../layout/icons.tsx';

/** Downloads generated text. Starts with a byte order mark, so that spreadsheets read it as UTF-8. */
export function SaveTextButton({
  name,
  text,
  children,
}: {
  name: string;
  text: () => string;
  children: ReactNode;
}) {
  const save = (): void => {
    const url = URL.createObjectURL(new Blob(['\ufeff', text()], { type: 'text/csv;charset=utf-8' }));
    Object.assign(document.createElement('a'), { href: url, download: name }).click();
    URL.revokeObjectURL(url);
  };
  return (
    <Button variant="default" leftSection={<Icon name="download" size={16} />} onClick={save}>
      {children}
    </Button>
  );
}
