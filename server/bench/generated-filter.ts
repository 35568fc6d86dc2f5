import type { BenchCall } from './calls-list.ts';

type Roll = () => number;
type Where = { [key: string]: unknown };

/** A small seeded generator (mulberry32), so that a run can be repeated. */
export function dice(seed: number): Roll {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pick = <T>(roll: Roll, choices: readonly T[]): T => choices[Math.floor(roll() * choices.length)] as T;
const digits = (roll: Roll, count: number) => `${Math.floor(roll() * 10 ** count)}`.padStart(count, '0');

/**
 * Generates a filter as users and attackers send them: mostly existing values, every operator, nesting, and about one in
 * eight with an error.
 */
export function generateFilter(roll: Roll, call: BenchCall): string {
  const filter: Where = { where: generateWhere(roll, call, 1) };
  if (roll() < 0.3) filter.limit = 1 + Math.floor(roll() * 100);
  if (roll() < 0.1) filter.offset = Math.floor(roll() * 300);
  if (roll() < 0.3)
    filter.order = pick(roll, ['started_at DESC', 'date ASC', 'id', ['started_at', 'id DESC']]);
  if (roll() < 0.1) filter.fields = ['id', 'to', 'metadata'];
  if (roll() < 0.12) return spoil(roll, filter);
  return JSON.stringify(filter);
}

function generateWhere(roll: Roll, call: BenchCall, depth: number): Where {
  const where: Where = {};
  const count = pick(roll, [1, 1, 1, 2, 2, 3, 4]);
  for (let i = 0; i < count; i += 1) {
    if (depth < 5 && roll() < 0.15) {
      const size = Math.floor(roll() * 4);
      const parts = Array.from({ length: size }, () => generateWhere(roll, call, depth + 1));
      where[pick(roll, ['and', 'or', 'or'])] = parts;
    } else Object.assign(where, generateTest(roll, call));
  }
  return where;
}

function generateTest(roll: Roll, call: BenchCall): Where {
  switch (Math.floor(roll() * 8)) {
    case 0:
      return { [pick(roll, ['date', 'started_at'])]: timeTest(roll, call) };
    case 1:
      return {
        [pick(roll, ['phone', 'to'])]: textTest(roll, roll() < 0.7 ? call.to : `55${digits(roll, 11)}`),
      };
    case 2:
      return {
        [pick(roll, ['from', 'extension'])]: textTest(roll, roll() < 0.8 ? call.from : digits(roll, 4)),
      };
    case 3:
      return metadataTest(roll, call);
    case 4:
      return { duration: numberTest(roll, Math.floor(roll() * 600)) };
    case 5:
      return { email: textTest(roll, roll() < 0.7 ? call.email : `x${digits(roll, 3)}@example.com`) };
    case 6:
      return pick<Where>(roll, [
        { status: roll() < 0.9 ? 'ended' : 'queued' },
        { call_price: numberTest(roll, Math.round(roll() * 600) / 1000) },
        { hangup_cause: pick(roll, ['NO_ANSWER', 'NORMAL_CLEARING', 'ALLOTTED_TIMEOUT', null]) },
        { ended_at: { exists: roll() < 0.9 } },
      ]);
    default:
      return { [pick(roll, ['first_name', 'last_name', 'BINA'])]: textTest(roll, call.first_name) };
  }
}

function timeTest(roll: Roll, call: BenchCall): unknown {
  const from = call.started_at.getTime();
  const to = from + roll() ** 3 * 90 * 86_400_000;
  const [start, end] = [new Date(from).toISOString(), new Date(to).toISOString()];
  return pick<unknown>(roll, [
    { gte: start, lt: end },
    { between: [start.slice(0, 10), end.slice(0, 10)] },
    { gte: start },
    start.slice(0, 10),
    { lte: end },
  ]);
}

function textTest(roll: Roll, value: string): unknown {
  const cut = Math.floor(roll() * value.length);
  return pick<unknown>(roll, [
    value,
    value,
    { eq: value },
    { neq: value },
    { like: `${value.slice(0, cut + 1)}%` },
    { ilike: `%${value.slice(cut)}` },
    { like: `%${value.slice(cut, cut + 5)}%` },
    { nilike: `%${value.slice(cut)}` },
    { inq: Array.from({ length: Math.floor(roll() * 8) }, () => (roll() < 0.5 ? value : digits(roll, 4))) },
    { nin: [value] },
    { gte: value },
    { exists: true },
  ]);
}

function numberTest(roll: Roll, value: number): unknown {
  return pick<unknown>(roll, [
    { gt: value },
    { lte: value },
    { between: [value, value + 30] },
    value,
    { inq: [value, value + 1] },
  ]);
}

function metadataTest(roll: Roll, call: BenchCall): Where {
  const deal =
    typeof call.metadata.deal === 'string' && roll() < 0.7 ? call.metadata.deal : `D${digits(roll, 6)}`;
  return pick<Where>(roll, [
    { metadata: { deal } },
    { 'metadata.deal': deal },
    { 'metadata.campaign': `c${Math.floor(roll() * 25)}` },
    { 'metadata.deal': { like: `%${deal.slice(-3)}` } },
    { metadata: { deal, campaign: 'c1' } },
    { 'metadata.deal': { exists: roll() < 0.5 } },
    { 'metadata.deal': { neq: deal } },
  ]);
}

function spoil(roll: Roll, filter: Where): string {
  const text = JSON.stringify(filter);
  return pick(roll, [
    () => text.slice(0, -1),
    () => text.replace('duration', 'duratoin').replace('"to"', '"too"'),
    () => JSON.stringify({ ...filter, limit: 101 }),
    () => JSON.stringify({ where: { to: { regexp: '^55' } } }),
    () => JSON.stringify({ where: { "to' or 1=1 --": 1, __proto__: 1 } }),
    () => JSON.stringify({ where: { duration: '5; drop table calls' } }),
    () => JSON.stringify({ where: { from: { inq: Array.from({ length: 101 }, () => '1') } } }),
    () => JSON.stringify({ where: { to: { like: '\u0000' } } }),
  ])();
}
