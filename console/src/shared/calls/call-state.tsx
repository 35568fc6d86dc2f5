import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../api/client.ts';
import { causeText } from '../format/causes.ts';
import { Icon } from '../layout/icons.tsx';
import classes from './call-state.module.css';

interface CallStatus extends Pick<Answer<'/calls/{id}'>, 'status' | 'answered_at' | 'hangup_cause'> {
  on_hold?: boolean;
}

/** State or end reason of a call. */
export function CallState({ call }: { call: CallStatus }) {
  const { t } = useTranslation();
  return <CallStateLabel t={t} call={call} />;
}

/** Icon with text; colour alone never carries the state. */
export function CallStateLabel({ t, call }: { t: TFunction; call: CallStatus }) {
  const { kind, icon, text } = describeState(t, call);
  return (
    <span className={classes.mark} data-kind={kind} title={text}>
      <Icon name={icon} size={14} />
      <span className={classes.markText}>{text}</span>
    </span>
  );
}

function describeState(t: TFunction, { status, answered_at, hangup_cause, on_hold }: CallStatus) {
  if (status === 'answered' && on_hold)
    return { kind: 'live', icon: 'pause', text: t('calls.states.held') } as const;
  if (status !== 'ended') return { kind: 'live', icon: 'live', text: t(`calls.states.${status}`) } as const;
  if (answered_at !== null) return { kind: 'good', icon: 'check', text: t('calls.answered') } as const;
  const text = hangup_cause ? causeText(t, hangup_cause) : t('calls.states.ended');
  return { kind: 'none', icon: 'cross', text } as const;
}
