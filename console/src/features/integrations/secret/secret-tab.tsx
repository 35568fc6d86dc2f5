import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../shared/format/formats.ts';
import { ProblemNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import classes from '../integrations.module.css';
import { rotateSecret, secretQuery } from '../queries.ts';
import { Examples } from './examples.tsx';
import { SecretField } from './secret-field.tsx';

/** The secret, its rotation, and receiver examples. */
export function SecretTab({ id }: { id: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const query = useQuery(secretQuery(id));
  const until = query.data?.previousSecretUntil;
  return (
    <>
      <p className={classes.plain}>{t('integrations.secret.lead')}</p>
      {query.error && <ProblemNote error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={60} />}
      {query.data && <SecretField secret={query.data.secret} />}
      {until && (
        <StatusNote kind="info">
          {t('integrations.secret.overlap', { at: formats.dateTime(until) })}
        </StatusNote>
      )}
      {query.data && <Rotation id={id} isOverlapping={typeof until === 'string'} />}
      <h3 className={classes.subtitle}>{t('integrations.secret.examples')}</h3>
      <Examples />
    </>
  );
}

function Rotation({ id, isOverlapping }: { id: number; isOverlapping: boolean }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const rotate = useMutation({
    mutationFn: () => rotateSecret(id),
    onSuccess: (renewed) => {
      queryClient.setQueryData(secretQuery(id).queryKey, renewed);
      setAsking(false);
    },
  });
  if (!isAsking)
    return (
      <div className={classes.actions}>
        <Button variant="default" size="xs" onClick={() => setAsking(true)}>
          {t('integrations.secret.rotate')}
        </Button>
      </div>
    );
  return (
    <div className={classes.inset}>
      <p className={classes.plain}>{t('integrations.secret.rotateSure')}</p>
      {isOverlapping && <p className={classes.plain}>{t('integrations.secret.rotateTwice')}</p>}
      <div className={classes.actions}>
        <Button size="xs" loading={rotate.isPending} onClick={() => rotate.mutate()}>
          {t('integrations.secret.rotateNow')}
        </Button>
        <Button size="xs" variant="default" onClick={() => setAsking(false)}>
          {t('common.cancel')}
        </Button>
      </div>
      {rotate.error && <ProblemNote error={rotate.error} />}
    </div>
  );
}
