import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWatch } from '../../../src/contexts/abuse/watch-accounts.ts';
import { sumCalls } from '../../../src/contexts/calls/summary/sum-calls.ts';
import { uuidv7 } from '../../../src/platform/ids.ts';
import { startCallLimitPlatform } from '../../harness/fixtures/call-limits.ts';
import { setMode } from '../../harness/fixtures/charges.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import type { Platform } from '../../harness/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startCallLimitPlatform();
});
afterAll(() => platform.close());

interface Moment {
  /** From 0; day 0 is a Monday. */
  day: number;
  hour: number;
}

/** The calls of an ordinary account in 15 minutes of an hour. */
interface Habit {
  name: string;
  calls(moment: Moment): number;
  /** Area code of the n-th call. */
  area?(moment: Moment, n: number): number;
  answered?(moment: Moment): number;
  seconds?(moment: Moment): number;
}

const isWeekday = ({ day }: Moment): boolean => day % 7 < 5;
const isOffice = (moment: Moment): boolean => isWeekday(moment) && moment.hour >= 8 && moment.hour < 18;

const habits: Habit[] = [
  { name: 'a small office', calls: (moment) => (isOffice(moment) ? 4 : 0) },
  { name: 'a call centre', calls: (moment) => (isOffice(moment) ? 60 : 0), seconds: () => 40 },
  {
    name: 'growth of 5 % a day',
    calls: (moment) => (isOffice(moment) ? Math.ceil(5 * 1.05 ** moment.day) : 0),
  },
  {
    name: 'a campaign in a new area every week',
    calls: (moment) => (isOffice(moment) ? 25 : 0),
    area: ({ day }) => 11 + Math.floor(day / 7) * 10,
  },
  {
    name: 'calls to the whole country',
    calls: (moment) => (isOffice(moment) ? 30 : 0),
    area: ({ day, hour }, n) => 11 + ((day * 7 + hour * 3 + n) % 80),
  },
  {
    name: 'a shop that also calls on Saturdays',
    calls: (moment) =>
      isOffice(moment) || (moment.day % 7 === 5 && moment.hour >= 9 && moment.hour < 14) ? 6 : 0,
  },
  {
    name: 'overtime until 22:00 in the last week of the month',
    calls: (moment) =>
      isOffice(moment) || (isWeekday(moment) && moment.day >= 23 && moment.hour < 22 && moment.hour >= 8)
        ? 10
        : 0,
  },
  {
    name: 'a holiday, and twice the calls on the day after',
    calls: (moment) => (!isOffice(moment) || moment.day === 16 ? 0 : moment.day === 17 ? 20 : 10),
  },
  {
    name: 'reminders that are mostly short',
    calls: (moment) => (isOffice(moment) ? 70 : 0),
    seconds: ({ day }) => (day % 2 === 0 ? 5 : 12),
    answered: () => 0.9,
  },
  {
    name: 'a bad list one day, where few answer',
    calls: (moment) => (isOffice(moment) ? 60 : 0),
    answered: ({ day }) => (day === 22 ? 0.02 : 0.4),
  },
];

/** A Monday, 0:00 in São Paulo. */
const firstDay = new Date('2027-03-01T03:00:00Z');

async function addAccount(): Promise<TestAccount> {
  const account = await createAccount(platform);
  await setMode(platform, account, 'live');
  return account;
}

/** Writes the calls of 15 minutes, of which the last one is still running. */
async function writeCalls(account: TestAccount, habit: Habit, moment: Moment, at: Date): Promise<void> {
  const count = habit.calls(moment);
  if (count === 0) return;
  const answered = Math.round(count * (habit.answered?.(moment) ?? 0.5));
  const seconds = habit.seconds?.(moment) ?? 90;
  const rows = Array.from({ length: count }, (_, n) => {
    const startedAt = new Date(at.getTime() - 840_000 + (n * 600_000) / count);
    const duration = n < answered ? seconds : 0;
    const number = 900_000_000 + ((moment.day * 24 + moment.hour) * 1_000 + n);
    return {
      id: uuidv7(startedAt),
      startedAt: startedAt.toISOString(),
      duration,
      to: `55${habit.area?.(moment, n) ?? 11}${number}`,
      price: Math.ceil(duration / 6) * 12_000,
    };
  });
  await platform.database.query(
    `with r as (select * from jsonb_to_recordset($3) r (id uuid, "startedAt" timestamptz, duration integer, "to" text, price bigint)),
     written as (
       insert into calls (id, account_id, domain, book, call_type, status, started_at, answered_at, ended_at, "from", "to",
         email, first_name, last_name, recorded, duration, billed_duration, hangup_cause, ended_by, minute_price_micros,
         call_price_micros, metadata, timeline)
       select r.id, $1, $2, 'live', 'outbound', 'ended', r."startedAt",
              case when r.duration > 0 then r."startedAt" end, r."startedAt" + make_interval(secs => r.duration), '1000', r."to",
              '', '', '', false, r.duration, r.duration, 'NORMAL_CLEARING', 'destination', 120000, r.price, '{}', '[]' from r),
     words as (insert into call_words (account_id, word, id) select $1, r."to", r.id from r)
     insert into live_calls (call_id, account_id, book, kind, state, requested_at, order_data, funded_seconds)
     select r.id, $1, 'live', 'click', 'dialing', r."startedAt", '{}', 60 from r order by r.id desc limit 1`,
    [account.id, account.domain, JSON.stringify(rows)],
  );
}

test('ABUSE-03 ten ordinary accounts are not suspended in a month', async () => {
  const accounts: { habit: Habit; account: TestAccount }[] = [];
  for (const habit of habits) accounts.push({ habit, account: await addAccount() });
  const raised: string[] = [];
  const { db } = platform.api.base;
  const never = new AbortController().signal;
  let now = firstDay;
  const clock = { now: () => now };
  const observer = { signalRaised: (kind: string, action: string) => raised.push(`${kind} ${action}`) };
  const watch = createWatch({ ...platform.api.money, db, clock, observer, actions: {} });
  for (let hour = 0; hour < 30 * 24; hour += 1) {
    const moment = { day: Math.floor(hour / 24), hour: hour % 24 };
    now = new Date(firstDay.getTime() + hour * 3_600_000 + 900_000);
    for (const { account, habit } of accounts) await writeCalls(account, habit, moment, now);
    await watch(never);
    await platform.database.query('delete from live_calls');
    if (moment.hour === 23)
      await sumCalls({ db, clock: { now: () => new Date(now.getTime() + 3_600_000) } }, never);
  }
  expect(raised.filter((signal) => signal.endsWith('suspend'))).toEqual([]);
  // Overtime and the list where few answer are worth a look.
  expect(raised).toContain('outside_hours alert');
  expect(raised).toContain('answer_rate alert');
  const suspended = await platform.database.query('select from account_caps where suspended_at is not null');
  expect(suspended).toEqual([]);
});
