import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Time } from '../../../shared/format/values.tsx';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import { accessesQuery } from '../queries.ts';
import classes from './recording.module.css';

/** Access log of the recording, for ADMINs. Loaded when opened. */
export function RecordingAccesses({ callId }: { callId: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery({ ...accessesQuery(callId), enabled: isOpen, staleTime: 0 });
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={classes.summary}>{t('calls.accesses.title')}</summary>
      {error && <ProblemNote error={error} />}
      {data?.data.length === 0 && <p className={classes.none}>{t('calls.accesses.none')}</p>}
      <ul className={classes.listeners}>
        {data?.data.map(({ id, at = '', address = '', issuedTo, issuedToName }) => (
          <li key={id}>
            <Time iso={at} />{' '}
            {issuedToName ?? t(issuedTo === null ? 'calls.accesses.unknown' : 'calls.accesses.removed')}{' '}
            <code>{address}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
