import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../../api/client.ts';
import { Copy } from '../../../shared/forms/copy-button.tsx';
import { Definition } from '../../../shared/layout/definition-list.tsx';
import { Icon } from '../../../shared/layout/icons.tsx';
import { AlertNote, ProblemNote } from '../../../shared/problems/problem-note.tsx';
import classes from '../settings.module.css';
import { type SsoDomain, ssoQuery } from './queries.ts';

/** A domain with the DNS record that proves it. */
export function DomainEntry({
  domain: { domain, recordName, recordValue, provedAt },
}: {
  domain: SsoDomain;
}) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const check = useMutation({
    mutationFn: () => unwrap(api.POST('/accounts/sso/check-domain', { body: { domain } })),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ssoQuery.queryKey }),
  });
  const isProved = provedAt !== null;
  return (
    <li className={classes.entry}>
      <div className={classes.row}>
        <strong>{domain}</strong>
        <span className={classes.grow} />
        {isProved ? (
          <span className={classes.state} data-owned="true">
            <Icon name="check" size={16} />
            {t('settings.sso.proved')}
          </span>
        ) : (
          <Button variant="default" size="xs" loading={check.isPending} onClick={() => check.mutate()}>
            {t('settings.sso.check', { domain })}
          </Button>
        )}
      </div>
      {!isProved && (
        <>
          <p className={classes.lead}>{t('settings.sso.record')}</p>
          <dl className={classes.facts}>
            <Definition name={t('settings.sso.recordName')}>
              {recordName} <Copy value={recordName} />
            </Definition>
            <Definition name={t('settings.sso.recordValue')}>
              {recordValue} <Copy value={recordValue} />
            </Definition>
          </dl>
        </>
      )}
      {check.data && !isProved && (
        <AlertNote kind="bad">
          {check.data.found.length === 0
            ? t('settings.sso.notFound')
            : t('settings.sso.found', { records: check.data.found.join(', ') })}
        </AlertNote>
      )}
      {check.error && <ProblemNote error={check.error} />}
    </li>
  );
}
