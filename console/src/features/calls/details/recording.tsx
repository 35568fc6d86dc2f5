import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { readProblem, unreachable } from '../../../api/problem.ts';
import { useIsAdmin } from '../../../api/session.ts';
import { callQuery } from '../../../shared/calls/call-query.ts';
import { useFormats } from '../../../shared/format/formats.ts';
import { Icon } from '../../../shared/layout/icons.tsx';
import { Panel } from '../../../shared/layout/page.tsx';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import type { Call } from '../queries.ts';
import { callPhases, type Phase } from './phases.ts';
import classes from './recording.module.css';
import { RecordingAccesses } from './recording-accesses.tsx';

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
  const segments = axisSegments(call);
  const talk = segments.find(({ name }) => name === 'talk');
  return (
    <Panel title={t('calls.time.title')}>
      <div>
        <Axis segments={segments} />
        {sound && (
          <Suspense>
            <Player sound={sound} callId={call.id} axisPosition={talk?.position} />
          </Suspense>
        )}
        <Legend segments={segments} />
      </div>
      {!isThere && <p className={classes.none}>{t(`calls.recording.${missingReason(call)}`)}</p>}
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
      {isThere && isAdmin && <RecordingAccesses callId={call.id} />}
    </Panel>
  );
}

/** Returns why there is no recording to play. */
function missingReason({
  ended_at,
  recording,
}: Call): 'later' | 'none' | 'notPermitted' | 'expected' | 'absent' | 'removed' {
  if (ended_at === null) return 'later';
  if (recording === null) return 'none';
  return recording.state === 'stored' ? 'notPermitted' : recording.state;
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

interface AxisSegment extends Phase {
  /** Position on the time axis. */
  position: { marginLeft: string; width: string };
}

function axisSegments(call: Call): AxisSegment[] {
  const phases = callPhases(call, Date.now());
  const startMs = phases[0]?.fromMs ?? 0;
  const wholeMs = Math.max(1, (phases.at(-1)?.toMs ?? 0) - startMs);
  const share = (ms: number): string => `${(ms / wholeMs) * 100}%`;
  return phases.map((phase) => ({
    ...phase,
    position: { marginLeft: share(phase.fromMs - startMs), width: share(phase.toMs - phase.fromMs) },
  }));
}

function Axis({ segments }: { segments: AxisSegment[] }) {
  return (
    <div className={classes.axis} aria-hidden="true">
      {segments.map(({ name, position }) => (
        <span key={name} className={classes.phase} data-phase={name} style={{ width: position.width }} />
      ))}
    </div>
  );
}

function Legend({ segments }: { segments: AxisSegment[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <ul className={classes.legend}>
      {segments.map(({ name, fromMs, toMs }) => (
        <li key={name} className={classes.entry}>
          <span className={classes.sample} data-phase={name} aria-hidden="true" />
          {t(`calls.time.${name}`)} <strong>{formats.duration((toMs - fromMs) / 1000)}</strong>
        </li>
      ))}
    </ul>
  );
}
