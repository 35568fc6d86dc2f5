import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration, useFormats } from '../../shared/format/formats.ts';
import { formatPhone } from '../../shared/phone-number/format-phone.ts';
import type { Teammate } from './queries.ts';

/** The call of the person, or the reason of the absence. */
export function Detail({ person }: { person: Teammate }) {
  const { t } = useTranslation();
  const [call] = person.calls;
  if (!call) return <span>{person.status === 'away' ? person.reason : null}</span>;
  const number = call.direction === 'internal' ? call.number : formatPhone(call.number);
  const status = call.status === 'answered' ? '' : ` · ${t(`calls.states.${call.status}`)}`;
  return <span>{`${t(`team.directions.${call.direction}`, { number })}${status}`}</span>;
}

/** How long the person has talked, or since when the person has the status. */
export function Since({ person }: { person: Teammate }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [call] = person.calls;
  if (call) return <Elapsed since={call.answeredAt ?? call.startedAt} />;
  if (!person.since || person.state === 'offline') return null;
  const isToday = formats.date(person.since) === formats.date(new Date().toISOString());
  const at = isToday ? formats.time(person.since).slice(0, 5) : formats.shortTime(person.since);
  return <span title={formats.dateTime(person.since)}>{t('team.since', { at })}</span>;
}

function Elapsed({ since }: { since: string }) {
  const [nowMs, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span>{formatDuration(Math.max(0, nowMs - Date.parse(since)) / 1_000)}</span>;
}
