import { Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './page.module.css';

export function Page({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  usePageTitle(title);
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <Title order={1}>{title}</Title>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function usePageTitle(title: string): void {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = t('shell.pageTitle', { page: title });
  }, [t, title]);
}

export function Panel({
  id,
  title,
  aside,
  children,
}: {
  /** Anchor of links to the panel. */
  id?: string;
  title?: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section id={id} className={classes.panel} aria-label={title}>
      {title && (
        <div className={classes.panelHead}>
          <Title order={2}>{title}</Title>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
