import { useTranslation } from 'react-i18next';
import { useFormats } from '../../shared/format/formats.ts';
import { AlertNote, Note } from '../../shared/problems/problem-note.tsx';
import { classifyFailure } from './deliveries/failure.ts';
import { FailureText } from './deliveries/failure-text.tsx';
import classes from './integrations.module.css';
import type { Health } from './queries.ts';

/** Why deliveries fail, and what to do. Renders nothing for healthy integrations. */
export function HealthNote({ health }: { health: Health }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { state, failingSince, disabledAt, disabledReason, lastFailure, lastFailureStatus } = health;
  const failure = lastFailure ? classifyFailure(lastFailure, lastFailureStatus) : undefined;
  if (state === 'off') return <Note kind="info">{t('integrations.notes.off')}</Note>;
  if (state === 'disabled') {
    const why = disabledReason?.includes('410') ? 'gone' : 'failures';
    return (
      <AlertNote kind="bad">
        <p className={classes.plain}>
          <strong>
            {t('integrations.notes.disabled', { at: disabledAt ? formats.dateTime(disabledAt) : '' })}
          </strong>{' '}
          {t(`integrations.notes.${why}`)}
        </p>
        {failure && why === 'failures' && <FailureText failure={failure} status={lastFailureStatus} />}
        <p className={classes.plain}>{t('integrations.notes.enable')}</p>
      </AlertNote>
    );
  }
  if (state !== 'failing') return null;
  return (
    <AlertNote kind="bad">
      <p className={classes.plain}>
        <strong>
          {t('integrations.notes.failing', { at: failingSince ? formats.dateTime(failingSince) : '' })}
        </strong>
      </p>
      {failure && <FailureText failure={failure} status={lastFailureStatus} />}
      <p className={classes.plain}>{t('integrations.notes.retried')}</p>
    </AlertNote>
  );
}
