import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../shared/format/formats.ts';
import { type FieldReader, Form } from '../../../shared/forms/form.tsx';
import { RowSkeletons } from '../../../shared/layout/skeletons.tsx';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../../shared/problems/problem-text.ts';
import { findCallId } from '../call-id.ts';
import { toIso } from '../deliveries/replay-window.tsx';
import { lastHours } from '../deliveries/window.ts';
import { WindowFields } from '../deliveries/window-fields.tsx';
import type { TabProps } from '../details.tsx';
import classes from '../integrations.module.css';
import { type Explanation, explainQuery, type Integration } from '../queries.ts';
import { ExplainedCall } from './explained-call.tsx';
import { ReasonText } from './reason-text.tsx';

/** Explains why a call, or the calls of a time range, were not sent. */
export function ExplainTab({ integration, view, onChange }: TabProps) {
  const { t } = useTranslation();
  const { id } = integration;
  return (
    <>
      <p className={classes.plain}>{t('integrations.explain.lead')}</p>
      <CallForm
        key={view.call}
        callId={view.call ?? ''}
        onAsk={(call) => onChange({ ...view, integration: id, call })}
      />
      {view.call && <ExplainedCall integration={integration} callId={view.call} />}
      <WindowForm view={view} onAsk={(window) => onChange({ ...view, integration: id, ...window })} />
      {view.since && view.until && (
        <ExplainedWindow integration={integration} since={view.since} until={view.until} />
      )}
    </>
  );
}

/** Accepts a call id, or a URL that contains one. */
function CallForm({ callId, onAsk }: { callId: string; onAsk: (callId: string) => void }) {
  const { t } = useTranslation();
  const [isWrong, setWrong] = useState(false);
  const submit = (field: FieldReader): void => {
    const found = findCallId(field('call'));
    setWrong(!found);
    if (found) onAsk(found);
  };
  return (
    <Form className={classes.inline} onSubmit={submit}>
      <TextInput
        name="call"
        label={t('integrations.explain.call')}
        description={t('integrations.explain.callHint')}
        defaultValue={callId}
        spellCheck={false}
        autoComplete="off"
        error={isWrong && t('integrations.explain.noId')}
      />
      <Button type="submit" variant="default">
        {t('integrations.explain.askCall')}
      </Button>
    </Form>
  );
}

function WindowForm({
  view,
  onAsk,
}: Pick<TabProps, 'view'> & { onAsk: (window: { since: string; until: string }) => void }) {
  const { t } = useTranslation();
  const { timeZone } = useFormats();
  const [window, setWindow] = useState(() => ({
    ...lastHours(24, timeZone),
    ...(view.since && { since: view.since }),
    ...(view.until && { until: view.until }),
  }));
  return (
    <Form
      className={classes.form}
      onSubmit={() => onAsk(window)}
      aria-label={t('integrations.explain.windowTitle')}
    >
      <h3 className={classes.subtitle}>{t('integrations.explain.windowTitle')}</h3>
      <WindowFields value={window} onChange={setWindow} />
      <div className={classes.actions}>
        <Button type="submit" variant="default">
          {t('integrations.explain.askWindow')}
        </Button>
      </div>
    </Form>
  );
}

function ExplainedWindow({
  integration,
  since,
  until,
}: {
  integration: Integration;
  since: string;
  until: string;
}) {
  const { t } = useTranslation();
  const { timeZone } = useFormats();
  const window = { since: toIso(since, timeZone), until: toIso(until, timeZone) };
  const query = useQuery(explainQuery(integration.id, window));
  if (query.error) {
    const faults = faultsByField(t, query.error);
    const faulty = (['until', 'since'] as const).find((name) => faults[name]);
    return (
      <ProblemNote
        error={query.error}
        {...(faulty && {
          text: t(`integrations.window.faults.${faulty === 'since' ? 'longest' : 'until'}`),
        })}
      />
    );
  }
  if (!query.data) return <RowSkeletons rows={3} />;
  return <WindowAnswer integration={integration} explanation={query.data} />;
}

function WindowAnswer({ integration, explanation }: { integration: Integration; explanation: Explanation }) {
  const { t } = useTranslation();
  const { calls, matched, unmatched, isComplete, reasons, sample } = explanation;
  return (
    <section className={classes.answer} aria-label={t('integrations.explain.answer')}>
      <p className={classes.plain} role="status">
        <strong>
          {calls === 0
            ? t('integrations.explain.noCalls')
            : t('integrations.explain.counts', { count: calls, matched, unmatched })}
        </strong>{' '}
        {!isComplete && t('integrations.explain.newestOnly')}
      </p>
      {reasons.length > 0 && (
        <ul className={classes.reasons}>
          {reasons.map((reason) => (
            <li key={`${reason.code} ${reason.path}`}>
              <span className={classes.count}>
                {t('integrations.explain.reasonCalls', { count: reason.calls })}
              </span>{' '}
              <ReasonText integration={integration} reason={reason} />
            </li>
          ))}
        </ul>
      )}
      {sample.length > 0 && (
        <details>
          <summary className={classes.summary}>
            {t('integrations.explain.sample', { count: sample.length })}
          </summary>
          <ul className={classes.sample}>
            {sample.map(({ callId }) => (
              <li key={callId}>
                <Link
                  to="/integrations"
                  search={{ integration: integration.id, part: 'explain', call: callId }}
                >
                  <code>{callId}</code>
                </Link>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
