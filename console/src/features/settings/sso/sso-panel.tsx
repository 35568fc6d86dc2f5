import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../../api/client.ts';
import { Copy } from '../../../shared/forms/copy-button.tsx';
import { ConfirmDialog } from '../../../shared/layout/confirm-dialog.tsx';
import { Definition } from '../../../shared/layout/definition-list.tsx';
import { Panel } from '../../../shared/layout/page.tsx';
import { FieldSkeletons } from '../../../shared/layout/skeletons.tsx';
import { AlertNote, ProblemNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import { visitInWindow } from '../../../shared/proof/sso.ts';
import classes from '../settings.module.css';
import { DomainEntry } from './domain-entry.tsx';
import { ssoQuery } from './queries.ts';
import { SsoForm } from './sso-form.tsx';

/** Single sign-on of the account. Its settings are loaded when the user opens them. */
export function SsoPanel() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title={t('settings.sso.title')}>
      <p className={classes.lead}>{t('settings.sso.lead')}</p>
      {isOpen ? (
        <Sso />
      ) : (
        <div className={classes.actions}>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('settings.sso.setUp')}
          </Button>
        </div>
      )}
    </Panel>
  );
}

/** The provider, the domains, and a test login. */
function Sso() {
  const { t } = useTranslation();
  const { data: settings, error, refetch } = useQuery(ssoQuery);
  if (!settings && error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!settings) return <FieldSkeletons fields={3} />;
  return (
    <>
      <dl className={classes.facts}>
        <Definition name={t('settings.sso.redirectUrl')}>
          {settings.redirectUrl} <Copy value={settings.redirectUrl} />
        </Definition>
      </dl>
      <SsoForm settings={settings} />
      {settings.domains.length > 0 && (
        <ul className={classes.list}>
          {settings.domains.map((domain) => (
            <DomainEntry key={domain.domain} domain={domain} />
          ))}
        </ul>
      )}
      {settings.isConfigured && <Actions />}
    </>
  );
}

function Actions() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isRemoving, setRemoving] = useState(false);
  const test = useMutation({
    mutationFn: () =>
      visitInWindow(
        async () => (await unwrap(api.POST('/console/sso/test', { body: null }))).url,
        AbortSignal.timeout(600_000),
      ),
  });
  const report = test.data;
  return (
    <>
      <div className={classes.actions}>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {t('settings.sso.test')}
        </Button>
        <Button variant="subtle" color="red" onClick={() => setRemoving(true)}>
          {t('settings.sso.remove')}
        </Button>
      </div>
      {report?.isDone && (
        <StatusNote kind="good">{t('settings.sso.tested', { email: report.email })}</StatusNote>
      )}
      {report?.isDone === false && (
        <AlertNote kind="bad">{t('settings.sso.notTested', { reason: report.reason })}</AlertNote>
      )}
      {test.error && <ProblemNote error={test.error} />}
      {isRemoving && (
        <ConfirmDialog
          title={t('settings.sso.removeTitle')}
          actionText={t('settings.sso.remove')}
          action={() => unwrap(api.DELETE('/accounts/sso'))}
          onDone={() => void queryClient.invalidateQueries({ queryKey: ssoQuery.queryKey })}
          onClose={() => setRemoving(false)}
        >
          <p className={classes.lead}>{t('settings.sso.removeText')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
