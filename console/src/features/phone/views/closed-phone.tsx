import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Session } from '../../../api/session.ts';
import type { Hold } from '../../../shared/calls/use-hold.ts';
import { useFormats } from '../../../shared/format/formats.ts';
import { Icon, type IconName } from '../../../shared/layout/icons.tsx';
import { formatPhone } from '../../../shared/phone-number/format-phone.ts';
import { callee, holdText, stageText } from '../call-text.ts';
import classes from '../dock.module.css';
import type { PhoneCall } from '../state.ts';
import { sendCommand, usePhoneState } from '../tabs.ts';
import { LineBadge } from './line-badge.tsx';
import { RecordingDot } from './recording-dot.tsx';
import { useSeconds } from './use-seconds.ts';

/** The minimised phone: the line, the call with its controls, or the question how the last call went. */
export function ClosedPhone({
  extension,
  hold,
  onOpen,
}: {
  extension: Session['extensions'][number];
  hold: Hold;
  onOpen: () => void;
}) {
  const { t } = useTranslation();
  const { line, call, ended } = usePhoneState();
  const { id, number } = ended ?? {};
  const asks = !call && id !== undefined;
  return (
    <div className={classes.pill} data-line={line} data-calling={call !== undefined}>
      <UnstyledButton className={classes.opener} onClick={onOpen}>
        <Icon name="calls" size={16} />
        <VisuallyHidden>{t('phone.open')}</VisuallyHidden>
        {call && <CallSummary call={call} hold={hold} />}
        {asks && (
          <span className={classes.lines}>
            <strong className={classes.wrapped}>{t('notes.ask')}</strong>
            <span className={classes.wrapped}>{formatPhone(number ?? '')}</span>
            {line !== 'ready' && <LineBadge line={line} />}
          </span>
        )}
        {!call && !asks && (
          <span className={classes.lines}>
            <span>{t('phone.extension', { ramal: extension.ramal })}</span>
            <LineBadge line={line} />
          </span>
        )}
      </UnstyledButton>
      {call && <VisuallyHidden role="status">{holdText(t, hold)}</VisuallyHidden>}
      {call && <CallControls call={call} hold={hold} />}
      {asks && (
        <button
          type="button"
          className={classes.control}
          data-control="skip"
          onClick={() => sendCommand({ do: 'dismiss' })}
        >
          {t('notes.skip')}
        </button>
      )}
    </div>
  );
}

function CallSummary({ call, hold }: { call: PhoneCall; hold: Hold }) {
  const { t } = useTranslation();
  const { duration } = useFormats();
  const seconds = useSeconds(call.answeredAtMs);
  const isTalking = call.stage === 'talking';
  const held = holdText(t, hold);
  return (
    <span className={classes.lines}>
      <strong className={classes.wrapped}>{callee(call)}</strong>
      {call.party?.name && <span className={classes.wrapped}>{formatPhone(call.number)}</span>}
      <span className={classes.progress}>
        {isTalking && call.isRecorded && <RecordingDot />}
        {held && <span className={classes.held}>{held}</span>}
        <span className={classes.wrapped}>{isTalking ? duration(seconds) : stageText(t, call)}</span>
      </span>
    </span>
  );
}

function CallControls({ call: { stage, isMuted, isPlaced }, hold }: { call: PhoneCall; hold: Hold }) {
  const { t } = useTranslation();
  if (stage === 'incoming') {
    return (
      <>
        <Control label={t('phone.answer')} icon="calls" onClick={() => sendCommand({ do: 'answer' })} />
        <Control
          label={t(isPlaced ? 'phone.cancel' : 'phone.reject')}
          icon="hangUp"
          onClick={() => sendCommand({ do: 'reject' })}
        />
      </>
    );
  }
  return (
    <>
      {stage === 'talking' && (
        <Control
          label={t(isMuted ? 'phone.unmute' : 'phone.mute')}
          icon={isMuted ? 'micOff' : 'mic'}
          isPressed={isMuted}
          onClick={() => sendCommand({ do: 'mute', isMuted: !isMuted })}
        />
      )}
      {stage === 'talking' && hold.isOffered && (
        <Control
          label={t(hold.isHolding ? 'calls.hold.end' : 'calls.hold.start')}
          icon={hold.isHolding ? 'play' : 'pause'}
          isPressed={hold.isHolding}
          isBusy={hold.isChanging}
          onClick={hold.toggle}
        />
      )}
      <Control label={t('phone.hangUp')} icon="hangUp" onClick={() => sendCommand({ do: 'hangUp' })} />
    </>
  );
}

function Control({
  label,
  icon,
  isPressed,
  isBusy,
  onClick,
}: {
  label: string;
  icon: IconName;
  isPressed?: boolean;
  isBusy?: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      className={classes.control}
      data-control={icon}
      aria-label={label}
      aria-pressed={isPressed}
      aria-busy={isBusy}
      title={label}
      onClick={onClick}
    >
      <Icon name={icon} size={16} />
    </button>
  );
}
