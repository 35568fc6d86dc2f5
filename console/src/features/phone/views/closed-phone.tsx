import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Session } from '../../../api/session.ts';
import { useFormats } from '../../../shared/format/formats.ts';
import { Icon, type IconName } from '../../../shared/layout/icons.tsx';
import { formatPhone } from '../../../shared/phone-number/format-phone.ts';
import { callee, stageText } from '../call-text.ts';
import classes from '../dock.module.css';
import type { Command, PhoneCall } from '../state.ts';
import { sendCommand, usePhoneState } from '../tabs.ts';
import { LineBadge } from './line-badge.tsx';
import { RecordingDot } from './recording-dot.tsx';
import { useSeconds } from './use-seconds.ts';

/** The minimised phone: the line, the call with its controls, or the question how the last call went. */
export function ClosedPhone({
  extension,
  onOpen,
}: {
  extension: Session['extensions'][number];
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
        {call && <CallSummary call={call} />}
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
      {call && <CallControls call={call} />}
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

function CallSummary({ call }: { call: PhoneCall }) {
  const { t } = useTranslation();
  const { duration } = useFormats();
  const seconds = useSeconds(call.answeredAtMs);
  const isTalking = call.stage === 'talking';
  return (
    <span className={classes.lines}>
      <strong className={classes.wrapped}>{callee(call)}</strong>
      {call.party?.name && <span className={classes.wrapped}>{formatPhone(call.number)}</span>}
      <span className={classes.progress}>
        {isTalking && call.isRecorded && <RecordingDot />}
        <span className={classes.wrapped}>{isTalking ? duration(seconds) : stageText(t, call)}</span>
      </span>
    </span>
  );
}

function CallControls({ call: { stage, isMuted, isPlaced } }: { call: PhoneCall }) {
  const { t } = useTranslation();
  if (stage === 'incoming') {
    return (
      <>
        <Control label={t('phone.answer')} icon="calls" command={{ do: 'answer' }} />
        <Control
          label={t(isPlaced ? 'phone.cancel' : 'phone.reject')}
          icon="hangUp"
          command={{ do: 'reject' }}
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
          command={{ do: 'mute', isMuted: !isMuted }}
        />
      )}
      <Control label={t('phone.hangUp')} icon="hangUp" command={{ do: 'hangUp' }} />
    </>
  );
}

function Control({
  label,
  icon,
  command,
  isPressed,
}: {
  label: string;
  icon: IconName;
  command: Command;
  isPressed?: boolean;
}) {
  return (
    <button
      type="button"
      className={classes.control}
      data-control={icon}
      aria-label={label}
      aria-pressed={isPressed}
      title={label}
      onClick={() => sendCommand(command)}
    >
      <Icon name={icon} size={16} />
    </button>
  );
}
