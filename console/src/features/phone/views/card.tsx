import { ActionIcon } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../shared/layout/icons.tsx';
import classes from '../dock.module.css';
import { useRestoreFocus } from './restore-focus.ts';

export function Card({
  title,
  state,
  actions,
  takesFocus,
  onClose,
  children,
}: {
  title: string;
  state?: ReactNode;
  actions?: ReactNode;
  /** Whether the user opened it, as opposed to an incoming call. */
  takesFocus: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const card = useRef<HTMLDivElement>(null);
  useRestoreFocus(card, takesFocus);
  return (
    <div ref={card} tabIndex={-1} className={classes.card} data-phone-card>
      <header className={classes.head}>
        <div className={classes.names}>
          <h2 className={classes.title}>{title}</h2>
          {state}
        </div>
        {actions}
        <ActionIcon variant="subtle" color="gray" aria-label={t('phone.minimise')} onClick={onClose}>
          <Icon name="down" />
        </ActionIcon>
      </header>
      <div className={classes.body}>{children}</div>
    </div>
  );
}
