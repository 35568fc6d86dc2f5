import { CloseButton, Title } from '@mantine/core';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './dialog.module.css';

/**
 * A dialog of the browser's own: it keeps the focus inside, closes by Esc and gives the focus back. What has
 * `data-autofocus` is focused first. It is open for as long as it is rendered.
 */
export function Dialog({
  title,
  form = 'middle',
  onClose,
  children,
}: {
  title: string;
  /** `side` is for details of what lies behind it. */
  form?: 'middle' | 'wide' | 'side';
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      data-form={form}
      aria-labelledby={titleId}
      onClose={() => dialog.current && !dialog.current.open && onClose()}
      onCancel={(event) => {
        // A field for files inside tells the same when no file was chosen.
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className={classes.head}>
        <Title order={2} id={titleId}>
          {title}
        </Title>
        <CloseButton aria-label={t('common.close')} onClick={onClose} />
      </div>
      <div className={classes.body}>{children}</div>
    </dialog>
  );
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
