import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HoldProblem } from '../../../shared/calls/hold-button.tsx';
import type { Hold } from '../../../shared/calls/use-hold.ts';
import { useFormats } from '../../../shared/format/formats.ts';
import { Icon } from '../../../shared/layout/icons.tsx';
import { formatPhone } from '../../../shared/phone-number/format-phone.ts';
import { AlertNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import { talkText } from '../call-text.ts';
import classes from '../dock.module.css';
import type { PhoneCall } from '../state.ts';
import { sendCommand, useIsPhoneTab, usePhoneState } from '../tabs.ts';
import { CallNote } from './call-note.tsx';
import { Keypad } from './keypad.tsx';
import { QualityLine } from './quality-line.tsx';
import { RecordingDot } from './recording-dot.tsx';
import { useSeconds } from './use-seconds.ts';

/** A call, from ringing to its end. */
export function CallView({ call, hold }: { call: PhoneCall; hold: Hold }) {
  const { t } = useTranslation();
  const { line } = usePhoneState();
  return (
    <>
      <div className={classes.call} role="status">
        <span className={classes.stage} data-stage={call.stage} data-hold={hold.isHolding || hold.isHeld}>
          {talkText(t, call, hold)}
        </span>
        {call.party?.name && <strong className={classes.name}>{call.party.name}</strong>}
        <strong className={call.party?.name ? classes.ofName : classes.number}>
          {formatPhone(call.number)}
        </strong>
        {call.party?.deal && (
          <span className={classes.quiet}>{t('phone.deal', { deal: call.party.deal })}</span>
        )}
        {call.isMuted && <span className={classes.muted}>{t('phone.muted')}</span>}
      </div>
      {call.stage === 'talking' && <Talk call={call} />}
      {call.isSilenced && <Silenced />}
      {line === 'lost' && <StatusNote kind="bad">{t('phone.lost')}</StatusNote>}
      <HoldProblem hold={hold} />
      {call.stage === 'incoming' ? (
        <Incoming isPlaced={call.isPlaced} />
      ) : (
        <OngoingCall call={call} hold={hold} />
      )}
      {call.id && call.stage === 'talking' && <CallNote key={call.id} id={call.id} />}
      {call.id && (
        <Link to="/calls/$id" params={{ id: call.id }} className={classes.link}>
          {t('phone.viewCall')}
        </Link>
      )}
    </>
  );
}

function Talk({ call }: { call: PhoneCall }) {
  const { t } = useTranslation();
  const { duration } = useFormats();
  const isPhoneTab = useIsPhoneTab();
  const seconds = useSeconds(call.answeredAtMs);
  return (
    <>
      <span className={classes.timer}>
        {call.isRecorded && <RecordingDot />}
        <span role="timer">{duration(seconds)}</span>
      </span>
      {call.quality && <QualityLine quality={call.quality} />}
      {!isPhoneTab && <span className={classes.quiet}>{t('phone.elsewhere')}</span>}
    </>
  );
}

function Silenced() {
  const { t } = useTranslation();
  return (
    <AlertNote kind="live">
      <p className={classes.text}>{t('phone.silenced')}</p>
      {useIsPhoneTab() && (
        <Button variant="default" size="xs" onClick={() => sendCommand({ do: 'unsilence' })}>
          {t('phone.unsilence')}
        </Button>
      )}
    </AlertNote>
  );
}

function Incoming({ isPlaced }: { isPlaced: boolean | undefined }) {
  const { t } = useTranslation();
  return (
    <div className={classes.choices}>
      <button type="button" className={classes.answer} onClick={() => sendCommand({ do: 'answer' })}>
        <Icon name="calls" />
        {t('phone.answer')}
      </button>
      <button type="button" className={classes.hangUp} onClick={() => sendCommand({ do: 'reject' })}>
        <Icon name="hangUp" />
        {t(isPlaced ? 'phone.cancel' : 'phone.reject')}
      </button>
    </div>
  );
}

function OngoingCall({ call, hold }: { call: PhoneCall; hold: Hold }) {
  const { t } = useTranslation();
  const [hasKeypad, setHasKeypad] = useState(false);
  const { isMuted } = call;
  const isTalking = call.stage === 'talking';
  return (
    <>
      {isTalking && (
        <div className={classes.controls}>
          <button
            type="button"
            className={classes.choice}
            aria-pressed={isMuted}
            onClick={() => sendCommand({ do: 'mute', isMuted: !isMuted })}
          >
            <Icon name={isMuted ? 'micOff' : 'mic'} />
            {t(isMuted ? 'phone.unmute' : 'phone.mute')}
          </button>
          <button
            type="button"
            className={classes.choice}
            aria-expanded={hasKeypad}
            onClick={() => setHasKeypad(!hasKeypad)}
          >
            <Icon name="keypad" />
            {t('phone.keypad')}
          </button>
          {hold.isOffered && (
            <button
              type="button"
              className={classes.choice}
              aria-pressed={hold.isHolding}
              aria-busy={hold.isChanging}
              onClick={hold.toggle}
            >
              <Icon name={hold.isHolding ? 'play' : 'pause'} />
              {t(hold.isHolding ? 'calls.hold.end' : 'calls.hold.start')}
            </button>
          )}
        </div>
      )}
      <button type="button" className={classes.hangUp} onClick={() => sendCommand({ do: 'hangUp' })}>
        <Icon name="hangUp" />
        {t('phone.hangUp')}
      </button>
      {isTalking && hasKeypad && <Tones keys={call.keys} />}
      {isTalking && !hasKeypad && call.keys !== '' && (
        <span className={classes.quiet}>{t('phone.keysTyped', { keys: call.keys })}</span>
      )}
    </>
  );
}

/** DTMF keypad. Keys can be typed as well, with or without it (typed-keys.ts). */
function Tones({ keys }: { keys: string }) {
  const { t } = useTranslation();
  const press = (key: string): void => sendCommand({ do: 'press', key });
  return (
    <>
      <input
        className={classes.keys}
        aria-label={t('phone.keys')}
        placeholder={t('phone.keys')}
        readOnly
        data-first
        value={keys}
      />
      <Keypad onPress={press} />
    </>
  );
}
