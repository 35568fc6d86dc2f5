import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Problem } from '../../../api/problem.ts';
import { useFormats } from '../../../shared/format/formats.ts';
import { formatPhone } from '../../../shared/phone-number/format-phone.ts';
import { AlertNote, Note, ProblemNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import classes from '../dock.module.css';
import { endText } from '../end-text.ts';
import type { EndedCall, PhoneError } from '../state.ts';
import { sendCommand, usePhoneState } from '../tabs.ts';
import { TopUp } from './top-up.tsx';

const dismiss = (): void => sendCommand({ do: 'dismiss' });

const quiet = ['you', 'them', 'rejected', 'cancelled'];

/** How the last call ended; shown until dismissed or until the next call. */
export function LastCall({ ended }: { ended: EndedCall }) {
  const { t } = useTranslation();
  const { duration } = useFormats();
  const { line } = usePhoneState();
  const { number, reason, seconds, id } = ended;
  return (
    <StatusNote kind={quiet.includes(reason) ? 'info' : 'live'}>
      <p className={classes.text}>
        <strong className={classes.whole}>
          {formatPhone(number)}
          {seconds > 0 && ` · ${duration(seconds)}`}
        </strong>{' '}
        {endText(t, reason)}
      </p>
      {reason === 'credit' && <TopUp />}
      <div className={classes.row}>
        {line === 'ready' && (
          <Button variant="default" size="xs" onClick={() => sendCommand({ do: 'dial', number })}>
            {t('phone.again')}
          </Button>
        )}
        {id && (
          <Link to="/calls/$id" params={{ id }} className={classes.link}>
            {t('phone.viewCall')}
          </Link>
        )}
        {!id && (
          <Button variant="default" size="xs" onClick={dismiss}>
            {t('phone.dismiss')}
          </Button>
        )}
      </div>
    </StatusNote>
  );
}

/** Why the phone is unavailable, and what to do. */
export function PhoneErrorNote({ error }: { error: PhoneError }) {
  const { t } = useTranslation();
  if (error.kind === 'microphone') {
    return <AlertNote kind="bad">{t(`phone.microphone.${error.why}`)}</AlertNote>;
  }
  if (error.code === 'PHONE_NOT_OFFERED') return <Note kind="info">{t('phone.notOffered')}</Note>;
  return <ProblemNote error={new Problem(error)} />;
}
