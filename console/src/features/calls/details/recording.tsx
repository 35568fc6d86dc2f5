import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { readProblem, unreachable } from '../../../api/problem.ts';
import { useIsAdmin } from '../../../api/session.ts';
import { useFormats } from '../../../shared/format/formats.ts';
import { Icon } from '../../../shared/layout/icons.tsx';
import { Panel } from '../../../shared/layout/page.tsx';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import { type Call, callQuery } from '../queries.ts';
import { type Phase, phasesOf } from './phases.ts';
import classes from './recording.module.css';
import { Listeners } from './recording-accesses.tsx';

const Player = lazy(() => import('./player.tsx').then((module) => ({ default: module.Player })));

/** Links are valid for 15 minutes; older ones are requested again. */
const linkFreshMs = 600_000;

/**
 * Phases of the call and, on the same time axis, its recording. The recording is fetched only when the user plays it,
 * because every access is logged.
 */
export function Recording({ call }: { call: Call }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const formats = useFormats();
  const isAdmin = useIsAdmin();
  const listen = useMutation({
    mutationFn: async () => {
      const fresh = await queryClient.fetchQuery({ ...callQuery(call.id), staleTime: linkFreshMs });
      return await fetchRecording(fresh.record_url ?? '');
    },
  });
  const isThere = call.record_url !== null && call.recording?.state !== 'expected';
  const sound = isThere ? listen.data : undefined;
  const parts = partsOf(call);
  const talk = parts.find(({ name }) => name === 'talk');
  return (
    <Panel title={t('calls.time.title')}>
      <div>
        <Axis parts={parts} />
        {sound && (
          <Suspense>
            <Player sound={sound} callId={call.id} place={talk?.place} />
          </Suspense>
        )}
        <Legend parts={parts} />
      </div>
      {!isThere && <p className={classes.none}>{t(`calls.recording.${whyNot(call)}`)}</p>}
      {isThere && !sound && (
        <div>
          <Button
            leftSection={<Icon name="play" size={16} />}
            loading={listen.isPending}
            onClick={() => listen.mutate()}
          >
            {t('calls.recording.listen')}
          </Button>
          <p className={classes.none}>
            {t('calls.recording.logged')}{' '}
            {call.recording?.expires_at &&
              t('calls.recording.kept', { day: formats.date(call.recording.expires_at) })}
          </p>
        </div>
      )}
      {listen.error && <ProblemNote error={listen.error} onRetry={() => listen.mutate()} />}
      {isThere && isAdmin && <Listeners callId={call.id} />}
    </Panel>
  );
}

/** Returns why there is no recording to play. */
function whyNot({ ended_at, recording }: Call): 'later' | 'none' | 'expected' | 'absent' | 'removed' {
  if (ended_at === null) return 'later';
  return recording === null || recording.state === 'stored' ? 'none' : recording.state;
}

/** Fetches from this origin; the link contains the public URL of the service, which may differ. */
async function fetchRecording(link: string): Promise<Blob> {
  const { pathname, search } = new URL(link, location.origin);
  const response = await fetch(pathname + search).catch(() => {
    throw unreachable();
  });
  if (!response.ok) throw await readProblem(response);
  return await response.blob();
}

interface Part extends Phase {
  /** Position on the time axis. */
  place: { marginLeft: string; width: string };
}

function partsOf(call: Call): Part[] {
  const phases = phasesOf(call, Date.now());
  const startMs = phases[0]?.fromMs ?? 0;
  const wholeMs = Math.max(1, (phases.at(-1)?.toMs ?? 0) - startMs);
  const share = (ms: number): string => `${(ms / wholeMs) * 100}%`;
  return phases.map((phase) => ({
    ...phase,
    place: { marginLeft: share(phase.fromMs - startMs), width: share(phase.toMs - phase.fromMs) },
  }));
}

function Axis({ parts }: { parts: Part[] }) {
  return (
    <div className={classes.axis} aria-hidden="true">
      {parts.map(({ name, place }) => (
        <span key={name} className={classes.phase} data-phase={name} style={{ width: place.width }} />
      ))}
    </div>
  );
}

function Legend({ parts }: { parts: Part[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <ul className={classes.legend}>
      {parts.map(({ name, fromMs, toMs }) => (
        <li key={name} className={classes.entry}>
          <span className={classes.sample} data-phase={name} aria-hidden="true" />
          {t(`calls.time.${name}`)} <strong>{formats.duration((toMs - fromMs) / 1000)}</strong>
        </li>
      ))}
    </ul>
  );
}
