import { Button, CopyButton, Skeleton, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../shared/layout/icons.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import { Countdown } from './countdown.tsx';
import classes from './credit.module.css';
import { type Charge, pixQuery } from './queries.ts';

/** Pix QR code and the same code as text to copy. */
export function Pix({ charge }: { charge: Charge }) {
  const { t } = useTranslation();
  const pix = useQuery(pixQuery(charge.id));
  if (pix.error) return <ProblemNote error={pix.error} onRetry={() => void pix.refetch()} />;
  if (!pix.data) return <Skeleton height={220} />;
  const { code, image, expiresAt } = pix.data;
  return (
    <div className={classes.pix}>
      <img className={classes.qr} src={image} alt={t('credit.pix.qr')} width={184} height={184} />
      <div className={classes.pixSteps}>
        <ol className={classes.steps}>
          <li>{t('credit.pix.open')}</li>
          <li>{t('credit.pix.scan')}</li>
          <li>{t('credit.pix.wait')}</li>
        </ol>
        <Textarea
          label={t('credit.pix.code')}
          value={code}
          readOnly
          rows={3}
          classNames={{ input: classes.code ?? '' }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={code}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={<Icon name={copied ? 'check' : 'copy'} size={16} />}
              onClick={copy}
            >
              {copied ? t('common.copied') : t('credit.pix.copy')}
            </Button>
          )}
        </CopyButton>
        <Countdown dueDate={charge.dueDate} expiresAt={expiresAt} />
      </div>
    </div>
  );
}
