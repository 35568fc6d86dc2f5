import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { isProblem } from '../../api/problem.ts';
import { useSession } from '../../api/session.ts';
import { callQuery } from '../../shared/calls/call-query.ts';
import { HoldButton, HoldProblem } from '../../shared/calls/hold-button.tsx';
import { useHold } from '../../shared/calls/use-hold.ts';
import { useLiveEvents, useLiveState } from '../../shared/live/live.ts';
import { formatPhone } from '../../shared/phone-number/format-phone.ts';
import { ProblemNote, StatusNote } from '../../shared/problems/problem-note.tsx';
import { holdText } from './call-text.ts';
import classes from './dock.module.css';
import { endText } from './end-text.ts';
import { hangUpByApi } from './engine/live-call.ts';
import { CallNote } from './views/call-note.tsx';
import { Card } from './views/card.tsx';
import { TopUp } from './views/top-up.tsx';
import { WrapUp } from './views/wrap-up.tsx';

/** Request to call a number that was clicked. */
export interface DialRequest {
  number: string;
  /** Idempotency key of the click. */
  key: string;
}

/** A call that rings the user's desk phone first. */
export function DeskCall({
  order: { number, key },
  onSwitchOn,
  onClose,
}: {
  order: DialRequest;
  onSwitchOn: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { extensions } = useSession();
  const [ramal, setRamal] = useState(extensions.length === 1 ? extensions[0]?.ramal : undefined);
  const placing = useMutation({
    mutationFn: (extension: string) =>
      unwrap(
        api.POST('/calls', {
          params: { header: { 'idempotency-key': `${key}-${extension}` } },
          body: { called: number, extension },
        }),
      ),
  });
  const { mutate } = placing;
  useEffect(() => {
    if (ramal !== undefined) mutate(ramal);
  }, [ramal, mutate]);
  return (
    <Card title={formatPhone(number)} takesFocus onClose={onClose}>
      {ramal === undefined && <ChooseExtension onChoose={setRamal} />}
      {ramal !== undefined && placing.isPending && <p role="status">{t('phone.desk.placing', { ramal })}</p>}
      {ramal !== undefined && placing.data && (
        <CallProgress id={placing.data.id} ramal={ramal} number={number} />
      )}
      {ramal !== undefined && placing.error && (
        <CallRejected error={placing.error} onRetry={() => mutate(ramal)} onSwitchOn={onSwitchOn} />
      )}
    </Card>
  );
}

/** Extension picker; registered extensions come first. */
function ChooseExtension({ onChoose }: { onChoose: (ramal: string) => void }) {
  const { t } = useTranslation();
  const { extensions } = useSession();
  const ordered = extensions.toSorted((one, other) => Number(other.registered) - Number(one.registered));
  return (
    <>
      <p>{t('phone.desk.choose')}</p>
      {ordered.map(({ id, ramal, registered }, index) => (
        <Button
          key={id}
          variant="default"
          className={classes.wrapping}
          data-first={index === 0 || undefined}
          onClick={() => onChoose(ramal)}
        >
          {t(registered ? 'phone.desk.registered' : 'phone.desk.unregistered', { ramal })}
        </Button>
      ))}
    </>
  );
}

const order = ['rings', 'dialing', 'ringing', 'talking', 'ended'] as const;
type Stage = (typeof order)[number];

const stages: Record<string, Stage> = {
  'channel-dialing': 'dialing',
  'channel-alerting': 'ringing',
  'channel-answer': 'talking',
  'channel-hangup': 'ended',
};

/** Events of the log and progress may arrive in another order. */
const later = (one: Stage, other: Stage): Stage => (order.indexOf(one) > order.indexOf(other) ? one : other);

/** Progress of the call, from live events. The first ones may precede the response to the request, so the call is read. */
function useStage(id: string): Stage {
  const [reached, setReached] = useState<Stage>('rings');
  useLiveEvents(Object.keys(stages), ({ type, data }) => {
    const stage = stages[type];
    if (data.id === id && stage) setReached((current) => later(stage, current));
  });
  const { data: call, refetch } = useQuery({ ...callQuery(id), staleTime: 0 });
  const live = useLiveState();
  useEffect(() => {
    if (live === 'open') void refetch({ cancelRefetch: false });
  }, [live, refetch]);
  if (call?.status === 'ended') return 'ended';
  return call?.status === 'answered' ? later('talking', reached) : reached;
}

function CallProgress({ id, ramal, number }: { id: string; ramal: string; number: string }) {
  const { t } = useTranslation();
  const stage = useStage(id);
  const hangUp = useMutation({ mutationFn: () => hangUpByApi(id) });
  const hold = useHold(id, stage === 'talking');
  const held = holdText(t, hold);
  const [isNoted, setNoted] = useState(false);
  return (
    <>
      <StatusNote kind={stage === 'ended' || held ? 'info' : 'good'}>
        <p className={classes.text}>
          {held ?? t(`phone.desk.${stage}`, { ramal, number: formatPhone(number) })}
        </p>
      </StatusNote>
      {hangUp.error && <ProblemNote error={hangUp.error} />}
      <HoldProblem hold={hold} />
      <div className={classes.row}>
        <Link to="/calls/$id" params={{ id }} className={classes.link}>
          {t('phone.viewCall')}
        </Link>
        {hold.isOffered && <HoldButton hold={hold} size="xs" />}
        {stage !== 'ended' && (
          <Button variant="default" size="xs" loading={hangUp.isPending} onClick={() => hangUp.mutate()}>
            {t('phone.hangUp')}
          </Button>
        )}
      </div>
      {stage === 'talking' && <CallNote id={id} />}
      {stage === 'ended' && !isNoted && <WrapUp id={id} onDone={() => setNoted(true)} />}
    </>
  );
}

/** Why the call was not placed, and what to do. */
function CallRejected({
  error,
  onRetry,
  onSwitchOn,
}: {
  error: Error;
  onRetry: () => void;
  onSwitchOn: () => void;
}) {
  const { t } = useTranslation();
  const code = isProblem(error) ? error.code : undefined;
  return (
    <>
      <ProblemNote
        error={error}
        {...(code === 'VALIDATION_ERROR' ? { text: endText(t, 'INVALID_NUMBER_FORMAT') } : { onRetry })}
      />
      {code === 'EXTENSION_NOT_REGISTERED' && <Button onClick={onSwitchOn}>{t('phone.on.action')}</Button>}
      {code === 'INSUFFICIENT_CREDIT' && <TopUp />}
    </>
  );
}
