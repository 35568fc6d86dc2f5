import { CloseButton, Title } from '@mantine/core';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './dialog.module.css';

/**
 * Modal based on the native `<dialog>`: traps focus, closes on Esc and restores focus. Focuses the element with
 * `data-autofocus` first. Open for as long as it is rendered.
 */
export function Dialog({
  title,
  form = 'middle',
  onClose,
  children,
}: {
  title: string;
  /** `side` shows details of the page behind it. */
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
      data-appears="over"
      aria-labelledby={titleId}
      onClose={() => dialog.current && !dialog.current.open && onClose()}
      onCancel={(event) => {
        // A nested file input emits `cancel` too, when no file is chosen.
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

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
