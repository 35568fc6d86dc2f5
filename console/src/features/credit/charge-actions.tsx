import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import classes from './credit.module.css';
import { type Charge, chargesQuery } from './queries.ts';

/** Actions on an open charge. Test accounts can simulate the payment. */
export function ChargeActions({ charge }: { charge: Charge }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const params = { path: { id: String(charge.id) } };
  const pay = useMutation({
    mutationFn: () => unwrap(api.POST('/sandbox/charges/{id}/pay', { params, body: {} })),
  });
  const cancel = useMutation({
    mutationFn: () => unwrap(api.PATCH('/charges/{id}/cancel', { params, body: {} })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: chargesQuery.queryKey }),
  });
  const error = pay.error ?? cancel.error;
  return (
    <>
      {error && <ProblemNote error={error} />}
      <div className={classes.actions}>
        {charge.gateway === 'sandbox' && !isAsking && (
          <Button
            variant="outline"
            loading={pay.isPending || pay.isSuccess}
            onClick={() => pay.mutate()}
            title={t('credit.charge.payNowHint')}
          >
            {t('credit.charge.payNow')}
          </Button>
        )}
        {isAsking ? (
          <>
            <span className={classes.question}>{t('credit.charge.cancelSure')}</span>
            <Button color="red" loading={cancel.isPending} onClick={() => cancel.mutate()}>
              {t('credit.charge.cancelYes')}
            </Button>
            <Button variant="default" onClick={() => setAsking(false)} autoFocus>
              {t('credit.charge.cancelNo')}
            </Button>
          </>
        ) : (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('credit.charge.cancel')}
          </Button>
        )}
      </div>
    </>
  );
}
