import { NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../../api/session.ts';
import { Icon } from '../../shared/layout/icons.tsx';
import { Note, ProblemNote } from '../../shared/problems/problem-note.tsx';
import { BusyButton } from './busy-button.tsx';
import { Outcome } from './deliveries/attempt.tsx';
import { classifyFailure } from './deliveries/failure.ts';
import { FailureText } from './deliveries/failure-text.tsx';
import { SentRequest } from './deliveries/sent-request.tsx';
import { type EventType, typesFor } from './event-types.ts';
import classes from './integrations.module.css';
import { sendTest, type TestOutcome } from './queries.ts';

/** Sends a sample event and shows the receiver's response. */
export function TestWebhook({
  id,
  types,
  onAnswered,
}: {
  id: number;
  types: EventType[];
  onAnswered?: (isDelivered: boolean) => void;
}) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const choices = [...types, ...typesFor(isAdmin).filter((type) => !types.includes(type))];
  const [type, setType] = useState<EventType>(types.at(-1) ?? 'channel-hangup');
  const queryClient = useQueryClient();
  const send = useMutation({
    mutationFn: () => sendTest(id, type),
    onSuccess: ({ outcome }) => {
      void queryClient.invalidateQueries({ queryKey: ['integrations', id, 'deliveries'] });
      onAnswered?.(outcome === 'delivered');
    },
  });
  return (
    <>
      <p className={classes.plain}>{t('integrations.test.lead')}</p>
      <div className={classes.inline}>
        <NativeSelect
          label={t('integrations.test.type')}
          value={type}
          onChange={(event) =>
            setType(choices.find((each) => each === event.currentTarget.value) ?? 'channel-hangup')
          }
          data={choices.map((value) => ({ value, label: t(`calls.events.${value}`) }))}
        />
        <BusyButton
          leftSection={<Icon name="send" size={16} />}
          isBusy={send.isPending}
          onPress={() => send.mutate()}
        >
          {t(send.isPending ? 'integrations.test.sending' : 'integrations.test.send')}
        </BusyButton>
      </div>
      {send.error && <ProblemNote error={send.error} />}
      {send.data && !send.isPending && <TestAnswer answer={send.data} />}
    </>
  );
}

function TestAnswer({ answer }: { answer: TestOutcome }) {
  const { t } = useTranslation();
  const failure = classifyFailure(answer.outcome, answer.status);
  return (
    <section className={classes.answer} aria-label={t('integrations.test.answer')}>
      <Note kind={failure ? 'bad' : 'good'} role={failure ? 'alert' : 'status'}>
        <p className={classes.plain}>
          <strong>{t(failure ? 'integrations.test.failed' : 'integrations.test.delivered')}</strong>
        </p>
        {failure && <FailureText failure={failure} status={answer.status} />}
      </Note>
      <Outcome result={answer} />
      <SentRequest request={answer.request} title={t('integrations.test.request')} />
    </section>
  );
}
