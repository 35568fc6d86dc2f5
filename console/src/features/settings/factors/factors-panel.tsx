import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../../api/client.ts';
import { sessionQuery } from '../../../api/session.ts';
import { useFormats } from '../../../shared/format/formats.ts';
import { Panel } from '../../../shared/layout/page.tsx';
import { RowSkeletons } from '../../../shared/layout/skeletons.tsx';
import { Note, ProblemNote } from '../../../shared/problems/problem-note.tsx';
import classes from '../settings.module.css';
import { AddPasskeyDialog } from './add-passkey-dialog.tsx';
import { AddTotpDialog } from './add-totp-dialog.tsx';
import { FactorEntry } from './factor-entry.tsx';
import { adminFactorsQuery, factorsQuery, type OwnFactors } from './queries.ts';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';

export function FactorsPanel() {
  const { t } = useTranslation();
  const own = useQuery(factorsQuery);
  return (
    <Panel title={t('settings.factors.title')}>
      <p className={classes.lead}>{t('settings.factors.lead')}</p>
      {own.isPending && <RowSkeletons rows={2} />}
      {own.error && <ProblemNote error={own.error} onRetry={() => void own.refetch()} />}
      {own.data && <Factors own={own.data} />}
    </Panel>
  );
}

function Factors({ own }: { own: OwnFactors }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const queryClient = useQueryClient();
  const [codes, setCodes] = useState<string[]>([]);
  const refresh = (): void => {
    for (const { queryKey } of [factorsQuery, adminFactorsQuery, sessionQuery])
      void queryClient.invalidateQueries({ queryKey });
  };
  // A page that waits for the first factor goes away with the refresh, so the codes are shown first.
  const added = (recoveryCodes: string[]): void =>
    recoveryCodes.length > 0 ? setCodes(recoveryCodes) : refresh();
  const close = (): void => {
    setCodes([]);
    refresh();
  };
  const hasFactor = own.factors.length > 0;
  return (
    <>
      {!hasFactor && own.lastApiLoginAt && (
        <Note kind="live">{t('settings.factors.apiLogin', { date: formats.date(own.lastApiLoginAt) })}</Note>
      )}
      <ul className={classes.list}>
        {own.factors.map((factor) => (
          <FactorEntry key={factor.id} factor={factor} onRemoved={refresh} />
        ))}
      </ul>
      <AddButtons onAdded={added} />
      {hasFactor && <CodesLeft count={own.recoveryCodesLeft} onReplaced={setCodes} />}
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} onClose={close} />}
    </>
  );
}

function AddButtons({ onAdded }: { onAdded: (recoveryCodes: string[]) => void }) {
  const { t } = useTranslation();
  const [adding, setAdding] = useState<'totp' | 'passkey'>();
  const close = (): void => setAdding(undefined);
  const added = (recoveryCodes: string[]): void => {
    close();
    onAdded(recoveryCodes);
  };
  return (
    <div className={classes.actions}>
      <Button variant="default" onClick={() => setAdding('totp')}>
        {t('settings.factors.addTotp')}
      </Button>
      <Button variant="default" onClick={() => setAdding('passkey')}>
        {t('settings.factors.addPasskey')}
      </Button>
      {adding === 'totp' && <AddTotpDialog onAdded={added} onClose={close} />}
      {adding === 'passkey' && <AddPasskeyDialog onAdded={added} onClose={close} />}
    </div>
  );
}

function CodesLeft({ count, onReplaced }: { count: number; onReplaced: (codes: string[]) => void }) {
  const { t } = useTranslation();
  const replace = useMutation({
    mutationFn: () => unwrap(api.POST('/users/me/factors/recovery-codes', { body: null })),
    onSuccess: ({ recoveryCodes }) => onReplaced(recoveryCodes),
  });
  return (
    <div className={classes.actions}>
      <span>{t('settings.factors.codesLeft', { count })}</span>
      <Button variant="default" size="xs" loading={replace.isPending} onClick={() => replace.mutate()}>
        {t('settings.factors.newCodes')}
      </Button>
      {replace.error && <ProblemNote error={replace.error} />}
    </div>
  );
}
