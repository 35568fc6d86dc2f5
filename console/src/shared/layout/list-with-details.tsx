import { CloseButton, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from './dialog.tsx';
import classes from './list-with-details.module.css';
import { useEscape } from './use-escape.ts';

const wideScreen = '(min-width: 1200px)';

/** A list with the details of the selected item next to it, or in a dialog on narrow screens. */
export function ListWithDetails({
  title,
  details,
  isCovered = false,
  onClose,
  children,
}: {
  /** Title of the details. */
  title: string;
  details: ReactNode | undefined;
  /** Whether another dialog is open; the details dialog is not shown below it. */
  isCovered?: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const isWide = useMediaQuery(wideScreen, undefined, { getInitialValueInEffect: false });
  return (
    <div className={classes.split} data-open={details !== undefined && isWide}>
      {children}
      {details !== undefined && isWide && (
        <Aside title={title} onClose={onClose}>
          {details}
        </Aside>
      )}
      {details !== undefined && !isWide && !isCovered && (
        <Dialog title={title} form="side" onClose={onClose}>
          {details}
        </Dialog>
      )}
    </div>
  );
}

function Aside({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  useEscape(onClose);
  return (
    <section className={classes.aside} aria-label={title} data-appears="beside">
      <div className={classes.head}>
        <Title order={2}>{title}</Title>
        <CloseButton aria-label={t('common.close')} onClick={onClose} />
      </div>
      {children}
    </section>
  );
}
