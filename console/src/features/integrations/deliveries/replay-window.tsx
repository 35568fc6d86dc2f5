import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../shared/format/formats.ts';
import { Form } from '../../../shared/forms/form.tsx';
import { ProblemNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../../shared/problems/problem-text.ts';
import { toInstant } from '../../../shared/time/zoned-days.ts';
import type { EventType } from '../event-types.ts';
import classes from '../integrations.module.css';
import { type Integration, replayWindow } from '../queries.ts';
import { EventChoice } from '../settings/event-fields.tsx';
import { readSettings } from '../settings/webhook-settings.ts';
import { lastHours } from './window.ts';
import { WindowFields } from './window-fields.tsx';

const reloadAfterMs = 3_000;

/** Sends all events of a time range again, for example after an outage of the receiver. */
export function ReplayWindow({ integration }: { integration: Integration }) {
  const { t } = useTranslation();
  const { timeZone } = useFormats();
  const queryClient = useQueryClient();
  const { types: listed } = readSettings(integration);
  const [window, setWindow] = useState(() => lastHours(24, timeZone));
  const [types, setTypes] = useState<EventType[]>(listed);
  const replay = useMutation({
    mutationFn: () =>
      replayWindow(integration.id, {
        since: toIso(window.since, timeZone),
        until: toIso(window.until, timeZone),
        types,
      }),
    onSuccess: () => {
      const queryKey = ['integrations', integration.id];
      setTimeout(() => void queryClient.invalidateQueries({ queryKey }), reloadAfterMs);
    },
  });
  const faults = faultsByField(t, replay.error);
  const isOfWindow = faults.since !== undefined || faults.until !== undefined;
  return (
    <Form
      className={classes.inset}
      onSubmit={() => replay.mutate()}
      aria-label={t('integrations.replay.open')}
    >
      <p className={classes.plain}>{t('integrations.replay.lead')}</p>
      <WindowFields
        value={window}
        onChange={setWindow}
        faults={{
          ...(faults.since && { since: t('integrations.window.faults.since') }),
          ...(faults.until && { until: t('integrations.window.faults.until') }),
        }}
      />
      <EventChoice types={listed} chosen={types} onChange={setTypes} />
      {replay.error && !isOfWindow && <ProblemNote error={replay.error} />}
      {replay.data && (
        <StatusNote kind="good">{t('integrations.replay.asked', { count: replay.data.events })}</StatusNote>
      )}
      <div className={classes.actions}>
        <Button type="submit" loading={replay.isPending} disabled={types.length === 0}>
          {t('integrations.replay.start')}
        </Button>
      </div>
    </Form>
  );
}

/** Converts to ISO 8601. Invalid times are sent unchanged, so that the API reports them by field. */
export const toIso = (local: string, timeZone: string): string => {
  const moment = local === '' ? new Date(0) : toInstant(local, timeZone);
  return Number.isNaN(moment.getTime()) ? new Date(0).toISOString() : moment.toISOString();
};
