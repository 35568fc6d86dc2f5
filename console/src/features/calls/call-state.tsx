import { useTranslation } from 'react-i18next';
import { useCauseText } from '../../shared/causes.ts';
import { Icon, type IconName } from '../../shared/icons.tsx';
import type { CallRow } from './queries.ts';
import classes from './table.module.css';

/** How a call stands or how it ended: an icon and its words, never a colour alone. */
export function CallState({ call }: { call: Pick<CallRow, 'status' | 'duration' | 'hangup_cause'> }) {
  const { t } = useTranslation();
  const causeText = useCauseText();
  const { status, duration, hangup_cause } = call;
  if (status !== 'ended') return <Mark kind="live" icon="live" text={t(`calls.states.${status}`)} />;
  if (duration > 0) return <Mark kind="good" icon="check" text={t('calls.answered')} />;
  return (
    <Mark kind="none" icon="cross" text={hangup_cause ? causeText(hangup_cause) : t('calls.states.ended')} />
  );
}

function Mark({ kind, icon, text }: { kind: 'live' | 'good' | 'none'; icon: IconName; text: string }) {
  return (
    <span className={classes.mark} data-kind={kind} title={text}>
      <Icon name={icon} size={14} />
      <span className={classes.markText}>{text}</span>
    </span>
  );
}
