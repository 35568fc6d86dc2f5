import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../../shared/layout/icons.tsx';
import classes from './credit.module.css';
import type { Charge } from './queries.ts';

type Status = Charge['status'];

export const isOpen = (status: Status): boolean => status === 'PENDING' || status === 'OVERDUE';
export const isPaid = (status: Status): boolean => status === 'CONFIRMED' || status === 'RECEIVED';

const appearances: Record<Status, { icon: IconName; kind: 'live' | 'good' | 'bad' | 'quiet' }> = {
  PENDING: { icon: 'clock', kind: 'live' },
  OVERDUE: { icon: 'warning', kind: 'bad' },
  CONFIRMED: { icon: 'check', kind: 'good' },
  RECEIVED: { icon: 'check', kind: 'good' },
  CANCELED: { icon: 'cross', kind: 'quiet' },
  REFUNDED: { icon: 'undo', kind: 'quiet' },
  CHARGEBACK: { icon: 'warning', kind: 'bad' },
};

export function ChargeState({ status }: { status: Status }) {
  const { t } = useTranslation();
  const { icon, kind } = appearances[status];
  return (
    <span className={classes.state} data-kind={kind}>
      <Icon name={icon} size={14} />
      {t(`credit.states.${status}`)}
    </span>
  );
}
