import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../../../api/problem.ts';
import { useSession } from '../../../api/session.ts';
import { callQuery } from '../../../shared/calls/call-query.ts';
import { Panel } from '../../../shared/layout/page.tsx';
import { useLiveEvents, useLiveState } from '../../../shared/live/live.ts';
import { readAgain } from '../../../shared/live/read-again.ts';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import { type Call, deliveriesQuery, priceQuery } from '../queries.ts';
import { CallHeader } from './call-header.tsx';
import { CallRecord } from './call-record.tsx';
import { Deliveries } from './deliveries.tsx';
import classes from './details.module.css';
import { NotePanel } from './note-panel.tsx';
import { PriceDetails } from './price-details.tsx';
import { QualityDetails } from './quality-details.tsx';
import { Recording } from './recording.tsx';
import { Timeline } from './timeline.tsx';
import { timelineSteps } from './timeline-steps.ts';

/** Events are followed only while the details are shown, so what was read before may have changed. */
const staleTime = 0;

/** Full details of a call, from the request to the last webhook. */
export function CallDetails({ id, isSidePanel = false }: { id: string; isSidePanel?: boolean }) {
  const { t } = useTranslation();
  const call = useQuery({ ...callQuery(id), staleTime });
  const price = useQuery({ ...priceQuery(id), staleTime });
  const { permissions } = useSession();
  const deliveries = useQuery({ ...deliveriesQuery(id), staleTime, enabled: permissions.webhooks });
  useLiveDetails(id, call.data !== undefined && isChanging(call.data));
  if (call.error && !call.data) {
    const isGone = isProblem(call.error) && call.error.status === 404;
    return <ProblemNote error={call.error} {...(!isGone && { onRetry: () => void call.refetch() })} />;
  }
  if (!call.data)
    return <div className={classes.placeholder} role="status" aria-label={t('common.loading')} />;
  const steps = timelineSteps(call.data, price.data ?? undefined, deliveries.data ?? []);
  return (
    <div className={classes.details} data-side-panel={isSidePanel}>
      <CallHeader call={call.data} />
      <div className={classes.main}>
        <div className={classes.column}>
          <Panel title={t('calls.details.timeline')}>
            <Timeline steps={steps} startedAt={call.data.started_at} isLive={call.data.status !== 'ended'} />
          </Panel>
          {call.data.leg_quality && (
            <QualityDetails quality={call.data.quality} legs={call.data.leg_quality} />
          )}
        </div>
        <div className={classes.column}>
          <NotePanel call={call.data} />
          <div className={classes.sound}>
            <Recording call={call.data} />
          </div>
          <PriceDetails price={price.data} error={price.error} />
          <CallRecord call={call.data} />
        </div>
      </div>
      {permissions.webhooks && <Deliveries receivers={deliveries.data} error={deliveries.error} />}
    </div>
  );
}

/** Whether the call is running, or its recording is not stored yet. */
const isChanging = ({ status, recording }: Call): boolean =>
  status !== 'ended' || recording?.state === 'expected';

/** Delay before reloading deliveries; webhooks are sent shortly after the event. */
const deliveredAfterMs = 3_000;

function useLiveDetails(id: string, mayChange: boolean): void {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readCall = useCallback(() => {
    readAgain(queryClient, callQuery(id).queryKey);
    readAgain(queryClient, priceQuery(id).queryKey);
  }, [queryClient, id]);
  useLiveEvents('*', ({ data }) => {
    if (data.id !== id) return;
    readCall();
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => void queryClient.invalidateQueries({ queryKey: deliveriesQuery(id).queryKey }),
      deliveredAfterMs,
    );
  });
  const isOpen = useLiveState() === 'open';
  const [wasOpen] = useState(isOpen);
  // Events between the first read and the opening of the stream were not received.
  useEffect(() => {
    if (isOpen && !wasOpen && mayChange) readCall();
  }, [isOpen, wasOpen, mayChange, readCall]);
}
