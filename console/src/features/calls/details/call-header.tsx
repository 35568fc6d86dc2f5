import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallState } from '../../../shared/calls/call-state.tsx';
import { HoldButton, HoldProblem } from '../../../shared/calls/hold-button.tsx';
import { useHold } from '../../../shared/calls/use-hold.ts';
import { useFormats } from '../../../shared/format/formats.ts';
import { Money, PhoneNumber, Time } from '../../../shared/format/values.tsx';
import { Copy } from '../../../shared/forms/copy-button.tsx';
import { Icon } from '../../../shared/layout/icons.tsx';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import { type Call, hangUp } from '../queries.ts';
import { RunningTime } from '../table/running-time.tsx';
import { CallContact } from './call-contact.tsx';
import classes from './details.module.css';

/** Caller, called party, state, and the call id to copy. */
export function CallHeader({ call }: { call: Call }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const name = [call.first_name, call.last_name].filter(Boolean).join(' ');
  return (
    <div className={classes.head}>
      <div className={classes.who}>
        <p className={classes.number}>
          <PhoneNumber digits={call.to} />
        </p>
        <CallContact call={call} />
        <p className={classes.line}>
          {t('calls.details.from', { ramal: call.from, name })} · <Time iso={call.started_at} />
        </p>
        <p className={classes.id}>
          <code>{call.id}</code>
          <Copy value={call.id} label={t('calls.details.copyId')} />
        </p>
      </div>
      <div className={classes.state}>
        <CallState call={call} />
        {call.status === 'ended' && call.duration > 0 && <span>{formats.duration(call.duration)}</span>}
        {call.call_price !== null && call.call_price > 0 && <Money reais={call.call_price} decimals={4} />}
        {call.status === 'answered' && call.answered_at && (
          <span className={classes.clock}>
            <RunningTime since={call.answered_at} />
          </span>
        )}
        {call.status === 'answered' && <HoldCall call={call} />}
        {call.status !== 'ended' && <HangUp id={call.id} />}
      </div>
    </div>
  );
}

function HoldCall({ call }: { call: Call }) {
  const hold = useHold(call.id, true);
  if (!hold.isOffered) return null;
  return hold.error ? <HoldProblem hold={hold} /> : <HoldButton hold={hold} />;
}

function HangUp({ id }: { id: string }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const end = useMutation({ mutationFn: () => hangUp(id) });
  if (end.error) return <ProblemNote error={end.error} onRetry={() => end.mutate()} />;
  const icon = <Icon name="hangUp" size={16} />;
  if (!isAsking)
    return (
      <Button variant="default" leftSection={icon} onClick={() => setAsking(true)}>
        {t('calls.hangUp.start')}
      </Button>
    );
  return (
    <span className={classes.asking}>
      <Button
        color="red.8"
        leftSection={icon}
        loading={end.isPending || end.isSuccess}
        onClick={() => end.mutate()}
      >
        {t('calls.hangUp.confirm')}
      </Button>
      <Button variant="default" onClick={() => setAsking(false)}>
        {t('common.cancel')}
      </Button>
    </span>
  );
}
