import type { BenchLine, LineCounts } from './lines.ts';
import type { CallPlatform } from './platform.ts';
import type { Keep } from './side.ts';
import { type Standby, startStandby } from './standby.ts';

/** Conditions under which the cost of a call is compared with that of the small platform. */
export interface Variant {
  counts?: LineCounts;
  /** Number of connected media nodes. */
  nodes?: number;
  /** Returns the lines that place calls. */
  choose?(lines: BenchLine[]): BenchLine[];
  /** Creates the conditions before the programs start. Passes every resource that must be stopped later to `keep`. */
  prepare?(platform: CallPlatform, lines: BenchLine[], keep: Keep): Promise<void>;
  /** Switches the condition on before each block of the variant, and off before each block of the small platform. */
  toggle?(isOn: boolean): Promise<void>;
}

export const ordinary: Variant = {};

const ofOneAccount = (lines: BenchLine[]): BenchLine[] =>
  lines.filter(({ domain }) => domain === lines[0]?.domain);

const variants: Record<string, (isShort: boolean) => Variant> = {
  'partitions-30': () => ({ prepare: addMonths }),
  'accounts-3000': (isShort) => ({ counts: { accounts: isShort ? 5 : 3_000, each: 1 } }),
  /** Real engines. The calls are distributed among them. */
  'nodes-11': (isShort) => {
    const nodes = isShort ? 2 : 11;
    return { nodes, prepare: (platform) => addNodes(platform, nodes) };
  },
  /** All calls belong to the account with the live calls. */
  'live-20000': (isShort) => ({
    choose: ofOneAccount,
    prepare: (platform, lines) => addLiveCalls(platform, lines, isShort ? 100 : 20_000),
  }),
  /** All calls belong to one account, so that they compete for its balance. */
  'hot-account': () => ({ choose: ofOneAccount }),
  'synchronous-standby': replicate,
  'retries-1m': (isShort) => ({ prepare: (platform) => addRetries(platform, isShort ? 1_000 : 1_000_000) }),
};

export function findVariant(name: string, isShort: boolean): Variant {
  const make = variants[name];
  if (!make) throw new Error(`Name a variant: ${Object.keys(variants).join(', ')}.`);
  return make(isShort);
}

/** Every commit waits until a standby has it on disk. */
function replicate(): Variant {
  let standby: Standby | undefined;
  return {
    async prepare({ urls }, _lines, keep) {
      standby = keep(await startStandby(urls.owner));
    },
    toggle: async (isOn) => (isOn ? standby?.attach() : standby?.detach()),
  };
}

/** Creates partitions of calls for 30 months. */
async function addMonths({ query }: CallPlatform): Promise<void> {
  const months = `(current_date - interval '25 months')::date, (current_date + interval '4 months')::date`;
  await query(`select make_call_months(${months})`);
  const [row] = await query(
    `select count(*)::int as count from pg_inherits where inhparent = 'calls'::regclass`,
  );
  if (Number(row?.count) < 30) throw new Error(`There are only ${row?.count} partitions.`);
}

async function addNodes(platform: CallPlatform, count: number): Promise<void> {
  for (let number = 2; number <= count; number += 1) await platform.addNode(number);
}

/** Inserts answered calls on a node that is registered but never connects, so that no process ends them. */
async function addLiveCalls({ query }: CallPlatform, [line]: BenchLine[], count: number): Promise<void> {
  await query(
    `insert into media_nodes (name, secret_hash, sip_address, created_at)
     values ('parked', sha256('parked'), '127.0.0.1:9', now())`,
  );
  await query(
    `insert into live_calls (call_id, account_id, book, kind, state, requested_at, order_data, node, claimed_at,
       funded_seconds, answered_on_node, answered_at)
     select uuidv7_at(now()), id, 'test', 'click', 'answered', now(), '{}', 'parked', now(), 86400, 0, now()
       from accounts, generate_series(1, $2) where domain = $1`,
    [line?.domain, count],
  );
  await query(
    `update ledger_balances set running_calls = $2
      where book = 'test' and account_id = (select id from accounts where domain = $1)`,
    [line?.domain, count],
  );
  await query('vacuum analyze live_calls');
}

/** Inserts failed deliveries whose retries are due tomorrow, divided among all accounts. */
async function addRetries({ query }: CallPlatform, count: number): Promise<void> {
  await query(
    `insert into integrations (account_id, user_id, gateway, webhook, webhook_constraint, constraint_metadata, metadata,
       webhook_url, webhook_version, webhook_types, secret_sealed, created_at, updated_at)
     select account_id, min(id), 'bench', false, '{}', '{}', '{}', 'http://127.0.0.1:9/', '1.8', '{}', '', now(), now()
       from users group by account_id`,
  );
  await query(
    `with waiting as (
       select uuidv7_at(now()) as id, account_id, integration_id
         from (select account_id, id as integration_id, row_number() over () as n from integrations) i
         join generate_series(1, $1) s on s % (select count(*) from integrations) + 1 = n
     ), inserted as (
       insert into deliveries (id, account_id, integration_id, event_id, type, state, attempts, round_attempts,
         last_outcome, created_at, next_attempt_at)
       select id, account_id, integration_id, gen_random_uuid(), 'channel-hangup', 'pending', 1, 1, 'refused', now(),
              now() + interval '1 day' from waiting
     )
     insert into delivery_queue (delivery_id, integration_id, is_retry, due_at)
     select id, integration_id, true, now() + interval '1 day' from waiting`,
    [count],
  );
  await query('vacuum analyze deliveries, delivery_queue');
}
