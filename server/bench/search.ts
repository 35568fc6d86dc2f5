import { parseArgs } from 'node:util';
import pg from 'pg';
import { type SearchableCall, wordsOf } from '../src/contexts/calls/search/words.rules.ts';
import { callWords } from './call-words.ts';
import { type BenchService, openAsService } from './calls-list.ts';
import { isShort, largeAccountId, leastCalls, prepareCallsTable } from './calls-table.ts';
import { judgeEstimate } from './measure/report.ts';
import { estimate, median } from './measure/statistics.ts';

/**
 * Measures the search of calls by words against a lookup by an indexed field, both through the code of
 * `GET /calls/search`, with the service's role. A fifth of the calls are in the account that is searched. The two
 * alternate, call by call. `--calls N` sets the number of calls in all accounts.
 */
const bar = 2;
const rounds = isShort ? 1 : 12;
const readsPerRound = isShort ? 4 : 20;
const sampleSize = 500;

type Sample = SearchableCall & { id: string; words: string[] };

interface Comparison {
  name: string;
  search: (call: Sample) => string;
  /** The filter of an indexed lookup that finds about as many calls. */
  lookup: (call: Sample) => object;
}

const comparisons: Comparison[] = [
  { name: 'number', search: ({ to }) => spelled(to), lookup: ({ to }) => ({ to }) },
  {
    name: 'name-and-number',
    search: ({ first_name, to }) => `${first_name} ${to.slice(4)}`,
    lookup: ({ to, first_name }) => ({ to, first_name: { eq: first_name } }),
  },
  {
    name: 'metadata',
    search: ({ metadata }) => dealOf(metadata),
    lookup: ({ metadata }) => ({ 'metadata.deal': dealOf(metadata) }),
  },
  { name: 'frequent-name', search: ({ last_name }) => last_name, lookup: ({ from }) => ({ from }) },
  {
    name: 'frequent-names',
    search: ({ first_name, last_name }) => `${first_name.slice(0, 2)} ${last_name}`,
    lookup: ({ from }) => ({ from }),
  },
];

async function main(
  adminUrl: string,
  { rowCount, isUsual }: { rowCount: number; isUsual: boolean },
): Promise<void> {
  const recipe = { database: `disca_search_${rowCount}`, rowCount, more: [callWords] };
  const { ownerUrl, serviceUrl } = await prepareCallsTable(adminUrl, isUsual ? undefined : recipe);
  const service = openAsService(serviceUrl, 1);
  try {
    const samples = await readSamples(ownerUrl);
    for (const comparison of comparisons) await measure(service, comparison, samples);
  } finally {
    await service.db.close();
  }
}

/** Reads some calls, and checks that the generated words are those that the worker would write. */
async function readSamples(ownerUrl: string): Promise<Sample[]> {
  const owner = new pg.Client(ownerUrl);
  await owner.connect();
  try {
    const { rows } = await owner.query<Sample>(
      `select c.*, array(select w.word from call_words w where w.id = c.id) as words from calls c
        where account_id = $1 and metadata ? 'deal' and id < '01941f29-7c00-0000-0000-000000000000'
        order by hashtextextended(id::text, 0) limit ${sampleSize}`,
      [largeAccountId],
    );
    for (const call of rows) {
      const [expected, written] = [wordsOf(call), call.words].map((words) => words.toSorted().join(' '));
      if (expected !== written) throw new Error(`Call ${call.id} has the words ${written}, not ${expected}.`);
    }
    const sizes = await owner.query<{ words: string; bytes: string; calls: string }>(
      `select sum(reltuples) filter (where relname ~ '^call_words_20.._..$')::bigint as words,
              sum(reltuples) filter (where relname ~ '^calls_20.._..$')::bigint as calls,
              sum(pg_total_relation_size(oid)) filter (where relname ~ '^call_words_20.._..$')::bigint as bytes
         from pg_class where relkind = 'r'`,
    );
    const { words, bytes, calls } = sizes.rows[0] ?? { words: '0', bytes: '0', calls: '1' };
    const perCall = (count: string) => (Number(count) / Number(calls)).toFixed(1);
    console.log(`${calls} calls: ${perCall(words)} words and ${perCall(bytes)} bytes of them per call`);
    return rows;
  } finally {
    await owner.end();
  }
}

async function measure(
  service: BenchService,
  { name, search, lookup }: Comparison,
  samples: Sample[],
): Promise<void> {
  const limit = { limit: 100 };
  const searched = (call: Sample) =>
    service.search(largeAccountId, { q: search(call), filter: JSON.stringify(limit) });
  const lookedUp = (call: Sample) =>
    service.search(largeAccountId, { filter: JSON.stringify({ where: lookup(call), ...limit }) });
  const ratios: number[] = [];
  const all: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  let next = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let read = 0; read < readsPerRound; read += 1) {
      const call = samples[next++ % samples.length];
      if (call === undefined) throw new Error('There are no calls.');
      if (read % 2 === 0) ours.push(await timed(() => searched(call)));
      theirs.push(await timed(() => lookedUp(call)));
      if (read % 2 === 1) ours.push(await timed(() => searched(call)));
    }
    // The first round warms caches and the JIT compiler.
    if (round === 0) continue;
    ratios.push(median(ours) / median(theirs));
    all.ours.push(...ours);
    all.theirs.push(...theirs);
  }
  const slowest = Math.max(...all.ours).toFixed(2);
  console.log(
    `search.${name}: ${median(all.ours).toFixed(2)} ms, at most ${slowest} ms; lookup ${median(all.theirs).toFixed(2)} ms`,
  );
  judgeEstimate(`search.${name}`, estimate(ratios), { bar, kind: 'most', isShort });
}

async function timed(read: () => Promise<{ data: unknown[] }>): Promise<number> {
  const startedAtMs = performance.now();
  const { data } = await read();
  const ms = performance.now() - startedAtMs;
  if (data.length === 0) throw new Error('Nothing was found.');
  return ms;
}

/** Writes a number as people do. */
const spelled = (digits: string): string =>
  `+${digits.slice(0, 2)} (${digits.slice(2, 4)}) ${digits.slice(4, -4)}-${digits.slice(-4)}`;

const dealOf = (metadata: unknown): string => String((metadata as { deal: string }).deal);

const adminUrl = process.env.DATABASE_OWNER_URL;
if (adminUrl === undefined) throw new Error('DATABASE_OWNER_URL is not set. Run ./dev bench search.');
const { values } = parseArgs({ options: { calls: { type: 'string' }, short: { type: 'boolean' } } });
const rowCount = Number(values.calls ?? 1_000_000);
if (!Number.isSafeInteger(rowCount) || rowCount < leastCalls)
  throw new Error(`--calls must be at least ${leastCalls}.`);
// A short run uses the calls of the other short runs.
await main(adminUrl, { rowCount, isUsual: isShort && values.calls === undefined });
