import { CloseButton, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from './dialog.tsx';
import classes from './list-with-details.module.css';

const roomFrom = '(min-width: 1200px)';

/** A list and, beside it, what was chosen from it. Where there is no room beside it, it lies over the list. */
export function ListWithDetails({
  title,
  details,
  isCovered = false,
  onClose,
  children,
}: {
  /** Of the details. */
  title: string;
  details: ReactNode | undefined;
  /** Whether a dialog is open, under which details that lie over the list would have no place. */
  isCovered?: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const hasRoom = useMediaQuery(roomFrom, undefined, { getInitialValueInEffect: false });
  return (
    <div className={classes.split} data-open={details !== undefined && hasRoom}>
      {children}
      {details !== undefined && hasRoom && (
        <Aside title={title} onClose={onClose}>
          {details}
        </Aside>
      )}
      {details !== undefined && !hasRoom && !isCovered && (
        <Dialog title={title} form="side" onClose={onClose}>
          {details}
        </Dialog>
      )}
    </div>
  );
}

function Aside({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (event.key === 'Escape' && !isTyping && !document.querySelector('dialog[open]')) close.current();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <section className={classes.aside} aria-label={title}>
      <div className={classes.head}>
        <Title order={2}>{title}</Title>
        <CloseButton aria-label={t('common.close')} onClick={onClose} />
      </div>
      {children}
    </section>
  );
}
