import { Title, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { languageNames, languages, setLanguage } from '../../locales/language.ts';
import { Logo } from '../../shared/layout/logo.tsx';
import { usePageTitle } from '../../shared/layout/page.tsx';
import classes from './auth-layout.module.css';

/** Layout of the pages for users who are not logged in. */
export function AuthLayout({
  title,
  lead,
  children,
  links,
}: {
  title: string;
  lead?: string;
  children: ReactNode;
  links?: ReactNode;
}) {
  const { t } = useTranslation();
  usePageTitle(title);
  return (
    <div className={classes.frame}>
      <header className={classes.brand}>
        <Logo size={36} />
        <span className={classes.name}>Disca</span>
        <span className={classes.tagline}>{t('enter.tagline')}</span>
      </header>
      <main className={classes.card}>
        <Title order={1}>{title}</Title>
        {lead && <p className={classes.lead}>{lead}</p>}
        {children}
        {links && <div className={classes.links}>{links}</div>}
      </main>
      <Languages />
    </div>
  );
}

/** A link of the layout that returns to the previous step of the page. */
export function BackLink({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <UnstyledButton className={classes.back} onClick={onClick}>
      {t('enter.logIn.back')}
    </UnstyledButton>
  );
}

function Languages() {
  const { t, i18n } = useTranslation();
  return (
    <nav className={classes.languages} aria-label={t('shell.language')}>
      {languages.map((language) => (
        <UnstyledButton
          key={language}
          lang={language}
          className={classes.language}
          aria-pressed={i18n.language === language}
          onClick={() => void setLanguage(language)}
        >
          {languageNames[language]}
        </UnstyledButton>
      ))}
    </nav>
  );
}
