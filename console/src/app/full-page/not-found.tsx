import { Button, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Logo } from '../../shared/layout/logo.tsx';
import { usePageTitle } from '../../shared/layout/page.tsx';
import classes from './full-page.module.css';

export function NotFound() {
  const { t } = useTranslation();
  usePageTitle(t('shell.notFound.title'));
  return (
    <main className={classes.full}>
      <Logo size={40} />
      <Title order={1}>{t('shell.notFound.title')}</Title>
      <p className={classes.text}>{t('shell.notFound.text')}</p>
      <Button component={Link} to="/">
        {t('shell.notFound.action')}
      </Button>
    </main>
  );
}
