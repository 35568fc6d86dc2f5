import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { useFormats } from '../../shared/format/formats.ts';
import { Money, Time } from '../../shared/format/values.tsx';
import { Panel } from '../../shared/layout/page.tsx';
import { Note } from '../../shared/problems/problem-note.tsx';
import { ChargeActions } from './charge-actions.tsx';
import { ChargeState, isOpen, isPaid } from './charge-state.tsx';
import classes from './credit.module.css';
import { PaymentPage } from './payment-page.tsx';
import { Pix } from './pix.tsx';
import type { Charge } from './queries.ts';

/** One charge: payment instructions while it is open, then its outcome. */
export function ChargePanel({ charge, onClose }: { charge: Charge; onClose: () => void }) {
  const { t } = useTranslation();
  const open = isOpen(charge.status);
  return (
    <Panel title={t('credit.charge.title', { id: charge.id })} aside={<ChargeState status={charge.status} />}>
      <Amounts charge={charge} />
      <div role="status" className={classes.status}>
        <Outcome charge={charge} />
      </div>
      {open && (charge.paymentMethod === 'PIX' ? <Pix charge={charge} /> : <PaymentPage charge={charge} />)}
      {open && <ChargeActions charge={charge} />}
      {!open && (
        <div className={classes.actions}>
          <Button variant="default" onClick={onClose}>
            {t('credit.charge.another')}
          </Button>
          {isPaid(charge.status) && charge.invoiceLink && (
            <a href={charge.invoiceLink} target="_blank" rel="noreferrer">
              {t('credit.charge.invoice')}
            </a>
          )}
        </div>
      )}
    </Panel>
  );
}

function Amounts({ charge }: { charge: Charge }) {
  const { t } = useTranslation();
  const { money } = useFormats();
  return (
    <div className={classes.balance}>
      <p className={classes.available}>
        <Money reais={charge.totalAmount} />
      </p>
      <p className={classes.quiet}>
        {t(`credit.methods.${charge.paymentMethod}`)}
        {' · '}
        {t('credit.charge.made')} <Time iso={charge.createdAt} form="shortTime" />
      </p>
      {charge.taxAmount > 0 && (
        <p className={classes.quiet}>
          {t('credit.charge.parts', { amount: money(charge.amount), fee: money(charge.taxAmount) })}
        </p>
      )}
    </div>
  );
}

function Outcome({ charge }: { charge: Charge }) {
  const { t } = useTranslation();
  const { money, dateTime } = useFormats();
  const { credit } = useSession();
  const { status } = charge;
  if (status === 'CONFIRMED' || status === 'RECEIVED')
    return (
      <Note kind="good">
        {t('credit.charge.paid', {
          amount: money(charge.amount),
          at: dateTime(charge.paidAt ?? charge.statusUpdatedAt),
          available: money(credit?.available ?? 0),
        })}
      </Note>
    );
  if (status === 'OVERDUE') return <Note kind="live">{t('credit.charge.overdue')}</Note>;
  if (status === 'PENDING') return null;
  return (
    <Note kind="info">{t(`credit.charge.ended.${status}`, { at: dateTime(charge.statusUpdatedAt) })}</Note>
  );
}
