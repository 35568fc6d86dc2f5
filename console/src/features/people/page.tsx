import { Button } from '@mantine/core';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../../api/session.ts';
import { Icon } from '../../shared/layout/icons.tsx';
import { Page } from '../../shared/layout/page.tsx';
import { usePageAction } from '../../shared/layout/page-action.ts';
import { InvitationsPanel } from './invitations-panel.tsx';
import { NewUserDialog } from './new-user-dialog.tsx';
import classes from './people.module.css';
import { ServiceTokensPanel } from './tokens/service-tokens-panel.tsx';
import { TokensPanel } from './tokens/tokens-panel.tsx';
import { Users } from './users.tsx';

function PeoplePage() {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const [isInviting, setInviting] = useState(false);
  usePageAction('new', () => isAdmin && setInviting(true));
  const invite = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setInviting(true)}>
      {t('people.new.open')}
    </Button>
  );
  return (
    <Page title={t('shell.people')} actions={isAdmin && invite}>
      {isAdmin ? <Users /> : <p className={classes.lead}>{t('people.forUser')}</p>}
      {isAdmin && <InvitationsPanel />}
      <TokensPanel />
      {isAdmin && <ServiceTokensPanel />}
      <p className={classes.lead}>
        <Link to="/settings">{t('people.password')}</Link>
      </p>
      {isInviting && <NewUserDialog onClose={() => setInviting(false)} />}
    </Page>
  );
}

export const page = createLazyRoute('/shell/people')({ component: PeoplePage });
