import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CallState } from '../../shared/calls/call-state.tsx';
import { useFormats } from '../../shared/format/formats.ts';
import { toSearchValue } from '../../shared/format/search-value.ts';
import { RowSkeletons } from '../../shared/layout/skeletons.tsx';
import { useLiveEvents } from '../../shared/live/live.ts';
import { NoteTags } from '../../shared/notes/note-tags.tsx';
import { formatPhone } from '../../shared/phone-number/format-phone.ts';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import { useThrottled } from '../../shared/time/use-throttled.ts';
import classes from './contacts.module.css';
import { type ContactCall, contactCallsQuery } from './queries.ts';

const lineHeight = 64;

/** The newest calls with a number that the user sees. The list of calls has all of them. */
export function ContactCalls({ number }: { number: string }) {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(contactCallsQuery(number));
  useLiveCalls(number, () => void refetch());
  return (
    <section className={classes.calls} aria-label={t('contacts.calls.title')}>
      <h3 className={classes.subtitle}>{t('contacts.calls.title')}</h3>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {isPending && <RowSkeletons rows={3} columns={['2fr', '1fr']} height={lineHeight} />}
      {data?.calls.length === 0 && !data.hasMore && (
        <p className={classes.lead}>{t('contacts.calls.none')}</p>
      )}
      {data && data.calls.length > 0 && (
        <ul className={classes.callList}>
          {data.calls.map((call) => (
            <CallLine key={call.id} call={call} />
          ))}
        </ul>
      )}
      {data && (data.calls.length > 0 || data.hasMore) && (
        <Link to="/calls" search={{ q: toSearchValue(number) }}>
          {t('contacts.calls.all')}
        </Link>
      )}
    </section>
  );
}

function CallLine({ call }: { call: ContactCall }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const isInbound = call.call_type === 'inbound';
  const name = [call.first_name, call.last_name].filter(Boolean).join(' ');
  const who = { ramal: isInbound ? formatPhone(call.to) : call.from, name };
  return (
    <li className={classes.callLine}>
      <Link to="/calls/$id" params={{ id: call.id }} className={classes.link}>
        <time dateTime={call.started_at}>{formats.shortTime(call.started_at)}</time>
      </Link>
      <span className={classes.callDuration}>{call.duration > 0 && formats.duration(call.duration)}</span>
      <span className={classes.callParty}>
        {t(isInbound ? 'contacts.calls.inbound' : 'contacts.calls.outbound', who)}
      </span>
      <span className={classes.callState}>
        <CallState call={call} />
        <NoteTags disposition={call.disposition} tags={call.tags} />
      </span>
    </li>
  );
}

const eventTypes = ['channel-answer', 'channel-hangup', 'call-updated'];
/** A call is found by words within this time after it is placed. */
const everyMs = 5_000;

/** Calls `refresh` when a call with the number changes. */
function useLiveCalls(number: string, refresh: () => void): void {
  const soon = useThrottled(refresh, everyMs);
  useLiveEvents(eventTypes, ({ data }) => {
    if (data.caller === number || data.called === number) soon();
  });
}
