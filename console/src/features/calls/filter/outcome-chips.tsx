import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../api/session.ts';
import { useFormats } from '../../../shared/format/formats.ts';
import { useLiveEvents } from '../../../shared/live/live.ts';
import { useThrottled } from '../../../shared/time/use-throttled.ts';
import { useToday } from '../../../shared/time/use-today.ts';
import { outcomeCountsKey, outcomeCountsQuery } from '../queries.ts';
import type { CallsView } from '../view.ts';
import type { ViewProps } from './filter-bar.tsx';
import classes from './outcome-chips.module.css';
import { countOutcomes, outcomes } from './outcomes.ts';
import { startedWithin } from './where.ts';

/** Minimum interval between counts; every call event changes them. */
const countEveryMs = 15_000;
const longestDays = 92;
const dayMs = 86_400_000;

/** Selects the calls with one outcome. Counts are shown where the summary of the period has them. */
export function OutcomeChips({ view, onChange }: ViewProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const counts = useOutcomeCounts(view);
  const { outcome: chosen, ...others } = view;
  return (
    <fieldset className={classes.chips} aria-label={t('calls.outcomeFilter')}>
      {[undefined, ...outcomes].map((outcome) => (
        <label key={outcome ?? 'all'} className={classes.chip}>
          <input
            type="radio"
            name="outcome"
            className={classes.radio}
            checked={outcome === chosen}
            onChange={() => onChange(outcome ? { ...others, outcome } : others)}
          />
          {t(`calls.callOutcomes.${outcome ?? 'all'}`)}
          {counts && outcome && <span className={classes.count}>{number(counts[outcome])}</span>}
        </label>
      ))}
    </fieldset>
  );
}

/** Returns the counts for a period of at most 92 days without other filters; the API has no others at hand. */
function useOutcomeCounts(view: CallsView) {
  const { account } = useSession();
  const today = useToday();
  const queryClient = useQueryClient();
  const span = startedWithin(view, account.timezone, today);
  const isShort = span !== undefined && daysOf(span) <= longestDays;
  const isPlain = view.q === undefined && view.filters.length === 0;
  const asked =
    isShort && isPlain && span.gte ? { since: span.gte, ...(span.lt && { until: span.lt }) } : undefined;
  const { data } = useQuery(outcomeCountsQuery(asked));
  const countAgain = useThrottled(
    () => void queryClient.invalidateQueries({ queryKey: outcomeCountsKey }),
    countEveryMs,
  );
  useLiveEvents(['channel-create', 'channel-hangup'], countAgain);
  return asked && data && countOutcomes(data);
}

function daysOf({ gte, lt }: { gte?: string; lt?: string }): number {
  if (gte === undefined) return Number.POSITIVE_INFINITY;
  return ((lt === undefined ? Date.now() : Date.parse(lt)) - Date.parse(gte)) / dayMs;
}
