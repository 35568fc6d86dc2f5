import {
  advanceCall,
  claimCalls,
  createMover,
  endCall,
  type LiveCall,
  noObserver,
} from '../../../server/src/contexts/calls/index.ts';
import { sumCalls } from '../../../server/src/contexts/calls/summary/sum-calls.ts';
import { addDeck, billingOfCall } from '../../../server/test/harness/fixtures/billing.ts';
import { type CallRow, insertCalls } from '../../../server/test/harness/fixtures/call-rows.ts';
import { numberEvents } from '../../../server/test/harness/fixtures/events.ts';
import { upload } from '../../../server/test/harness/fixtures/recordings.ts';
import type { Person, TestAccount } from '../../../server/test/harness/people.ts';
import type { Platform } from '../../../server/test/harness/platform.ts';
import { ensureExtension } from '../../../server/test/harness/webhooks/calls.ts';

const minuteMs = 60_000;
const people = [
  ['1000', 'Ana', 'Souza'],
  ['1001', 'Bruno', 'Albuquerque de Vasconcelos'],
  ['1002', 'Íris', 'Lima'],
] as const;
const unanswered = ['NO_ANSWER', 'USER_BUSY', 'SUBSCRIBER_ABSENT', 'UNALLOCATED_NUMBER'];

/** Returns the `n`-th most recent call. Deterministic; most calls are recent. */
export function plainCall(n: number, nowMs: number): Partial<CallRow> & { startedAt: Date } {
  const [from, firstName, lastName] = people[n % people.length] ?? people[0];
  const isAnswered = n % 5 !== 0 && n % 7 !== 0;
  const duration = isAnswered ? 4 + ((n * 37) % 400) : 0;
  return {
    startedAt: new Date(nowMs - Math.round((3 + n * 4 + n ** 1.9) * minuteMs)),
    from,
    firstName,
    lastName,
    to: `55${11 + (n % 80)}9${80_000_000 + ((n * 7_654_321) % 19_999_999)}`,
    duration,
    hangupCause: isAnswered ? 'NORMAL_CLEARING' : (unanswered[n % unanswered.length] ?? 'NO_ANSWER'),
    endedBy: n % 2 === 0 ? 'destination' : 'extension',
    priceMicros: { minute: 90_000, call: duration * 1_500 },
    metadata: n % 3 === 0 ? { deal: `D-${1000 + n}`, campaign: 'primavera' } : {},
  };
}

const plainCalls = 160;

export interface DemoCalls {
  /** A call with all optional data. */
  callId: string;
  /** An answered, active call. */
  runningId: string;
}

/** Inserts a month of calls, two active ones, and one with full details. */
export async function addCalls(platform: Platform, account: TestAccount, admin: Person): Promise<DemoCalls> {
  const yesterday = new Date(platform.clock.now().getTime() - 24 * 60 * minuteMs);
  const rates = [
    { prefix: '55', price: 0.12 },
    { prefix: '55119', price: 0.09 },
  ];
  await addDeck(platform, rates, yesterday);
  const callId = await addDetailedCall(platform, account, admin);
  const nowMs = platform.clock.now().getTime();
  const calls = Array.from({ length: plainCalls }, (_, n) => plainCall(n, nowMs));
  const plainIds = await insertCalls(platform.database, account, calls);
  await addNotes(admin, [callId, ...plainIds.slice(0, 12)]);
  const runningId = await addRunningCalls(platform, account, admin);
  await numberEvents(platform);
  await sumCalls(platform.api.base, AbortSignal.timeout(120_000));
  return { callId, runningId };
}

const dispositions = [
  'Venda',
  'Retornar ligação',
  'Sem interesse',
  'Não é o responsável pela decisão de compra',
];

/** Adds dispositions, and a note about most of the calls. */
async function addNotes({ client }: Person, ids: string[]): Promise<void> {
  await client.request('PUT', '/dispositions', { body: { names: dispositions } });
  for (const [n, id] of ids.entries()) {
    const body = {
      disposition: n % 3 === 2 ? null : (dispositions[n % dispositions.length] ?? null),
      note: n % 2 === 0 ? 'Pediu orçamento até sexta-feira.\nPrefere falar de manhã.' : null,
      tags: ['orçamento', 'condomínio', 'vip'].slice(0, n % 4),
    };
    await client.request('PUT', `/calls/${id}/note`, { body });
  }
}

/** Claims a call for the engine right after it was requested. */
export async function placeCall(
  { api, clock }: Platform,
  { client }: Person,
  request: { extension: string; called: string; metadata?: object },
): Promise<LiveCall> {
  const id: string = (await client.post('/calls', request)).body.id;
  const claimed = await claimCalls(api.base.db, lease, new Date(0), clock.now(), 10);
  const call = claimed.find(({ callId }) => callId === id);
  if (!call) throw new Error('The call could not be claimed.');
  return call;
}

const lease = { node: 'm1', epoch: 0 };

type Moves = Partial<Record<'ringing' | 'dialing' | 'answered', number>>;

/** Reports engine progress, each step the given seconds after the request. */
async function moveCall({ api }: Platform, call: LiveCall, moves: Moves): Promise<void> {
  const move = createMover(api.base.db, lease);
  for (const [to, seconds] of Object.entries(moves)) {
    const step = { to: to as keyof Moves, at: secondsAfter(call, seconds), onNode: 0 };
    await advanceCall(move, call, [step]);
  }
}

/** Reports the end of the call, as the engine does. */
export async function finishCall({ api, clock }: Platform, call: LiveCall, seconds: number): Promise<void> {
  await endCall({ db: api.base.db, clock, observer: noObserver }, call, end, secondsAfter(call, seconds));
}

const secondsAfter = ({ requestedAt }: LiveCall, seconds: number): Date =>
  new Date(requestedAt.getTime() + seconds * 1000);

/** Adds a ringing and an answered call; returns the id of the latter. */
async function addRunningCalls(platform: Platform, account: TestAccount, admin: Person): Promise<string> {
  const extension = await ensureExtension(platform, account);
  const ringing = await placeCall(platform, admin, { extension, called: '5521987651234' });
  await moveCall(platform, ringing, { ringing: 0.4 });
  const talking = await placeCall(platform, admin, { extension, called: '5531987654444' });
  await moveCall(platform, talking, { ringing: 0.4, dialing: 0.6, answered: 0.9 });
  return talking.callId;
}

const talkSeconds = 72;
/** The Wi-Fi of the extension loses 5 % of its packets. */
const counts = {
  received: 3_420,
  sent: 3_590,
  receivedLost: 180,
  sentLost: 0,
  receivedJitterSeconds: 0.009,
  sentJitterSeconds: 0.004,
  roundTripSeconds: 0.036,
  codec: 'opus',
};
const end = {
  endedOnNode: talkSeconds,
  answeredOnNode: 0,
  cause: 16,
  sipStatus: null,
  dialStatus: 'ANSWER',
  endedBy: 'destination' as const,
  legs: {
    first: counts,
    second: { ...counts, receivedLost: 0, sentLost: null, sentJitterSeconds: null, codec: 'alaw' },
  },
};
const waits = { ringing: 1.2, dialing: 5.5, answered: 17.4 };

/** Adds a call with ledger entries, recording and webhooks, one delivered on retry and one pending. */
async function addDetailedCall(platform: Platform, account: TestAccount, admin: Person): Promise<string> {
  const { clock, database } = platform;
  const extension = await ensureExtension(platform, account);
  const ageSeconds = 150;
  clock.advance(-ageSeconds);
  const metadata = { deal: 'D-1024', campaign: 'primavera' };
  const call = await placeCall(platform, admin, { extension, called: '5511987654321', metadata });
  await moveCall(platform, call, waits);
  clock.advance(waits.answered + 30);
  await billingOfCall(platform, account, call.callId).renew(30);
  await database.query('update live_calls set funded_seconds = 120 where call_id = $1', [call.callId]);
  clock.advance(ageSeconds - waits.answered - 30);
  await finishCall(platform, call, waits.answered + talkSeconds);
  await upload(platform, call.callId, speech(talkSeconds));
  // The worker must not deliver these events; the delivery attempts are inserted below.
  await numberEvents(platform);
  await addDeliveries(platform, admin, call.callId);
  return call.callId;
}

/** Adds two receivers: one that failed once, and one that is down. */
async function addDeliveries({ database }: Platform, { client }: Person, callId: string): Promise<void> {
  const add = async (gateway: string): Promise<number> => {
    const webhookTypes = ['channel-answer', 'channel-hangup'];
    const metadata = { webhookUrl: `https://hooks.example.com/${gateway}`, webhookTypes };
    return (await client.patch('/integrations', { gateway, webhook: true, metadata })).body.id;
  };
  const [crm, old] = [await add('crm'), await add('erp-antigo')];
  await database.query(`update integrations set failing_since = now() - interval '2 hours' where id = $1`, [
    old,
  ]);
  await database.query(
    `with sent_events as (
       select e.*, i.id as integration_id, i.id = $2 as is_healthy,
              c.started_at + interval '1 second' * case e.type when 'channel-answer' then ${waits.answered}
                else ${waits.answered + talkSeconds} end as first_sent_at
         from events e join calls c on c.id = $1 and e.subject_id = c.id::text
         cross join (select unnest(array[$2, $3]::bigint[]) as id) i
        where e.type in ('channel-answer', 'channel-hangup')
     ), planned as (
       insert into deliveries (id, account_id, integration_id, event_id, type, state, attempts, last_outcome, created_at,
         next_attempt_at, ended_at)
       select uuidv7_at(first_sent_at), account_id, integration_id, id, type, case when is_healthy then 'delivered' else 'pending' end,
              2, case when is_healthy then 'delivered' else 'connect_failed' end, first_sent_at,
              case when not is_healthy then now() + interval '1 hour' end, case when is_healthy then first_sent_at end from sent_events
       returning *
     )
     insert into delivery_attempts (delivery_id, number, account_id, at, duration_ms, outcome, status)
     select d.id, n, d.account_id, d.created_at + n * interval '4 seconds', 35 * n,
            case when d.integration_id = $3 then 'connect_failed' when n = 1 then 'bad_status' else 'delivered' end,
            case when d.integration_id = $3 then null when n = 1 then 503 else 204 end
       from planned d, generate_series(1, 2) n`,
    [callId, crm, old],
  );
}

const rate = 8_000;

/** Generates audio that resembles a conversation: bursts of a tone with silence between them. */
function speech(seconds: number): Buffer {
  const samples = Buffer.alloc(seconds * rate * 2);
  for (let n = 0; n < seconds * rate; n += 1) {
    const time = n / rate;
    const turn = Math.max(0, Math.sin(time * 0.9) * Math.sin(time * 0.31 + 1));
    const syllable = 0.6 + 0.4 * Math.sin(time * 21);
    samples.writeInt16LE(Math.round(20_000 * turn * syllable * Math.sin(time * 2 * Math.PI * 220)), n * 2);
  }
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
