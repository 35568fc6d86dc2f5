import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../calls-list.ts';
import { type Commit, takeCommits } from './commits.ts';
import { type PartyTimes, readMessages } from './messages.ts';
import { messageFile, type PartyKind } from './parties.ts';
import type { CallPlatform } from './platform.ts';
import type { TracedCaller } from './service-caller.ts';

/** The moments of a call between its request and its answer, in their order, with what happens before each. */
const hops = [
  ['placed', 'POST /calls received, authorised and committed (api)'],
  ['claimed', 'wake-up through Redis, and claim committed (voice)'],
  ['phoneInvited', 'originate request, INVITE through the edge (voice, Asterisk, Kamailio)'],
  ['phoneAnswered', 'the phone rings and answers (SIPp)'],
  ['carrierInvited', '200 through the edge, dialplan, INVITE to the carrier (Kamailio, Asterisk)'],
  ['carrierAnswered', 'the carrier rings and answers (SIPp)'],
  ['answered', 'dialplan, engine event, answer committed (Asterisk, voice)'],
  ['numbered', 'afterwards: the event is numbered for webhooks and feeds (worker)'],
] as const;

type Moments = Record<'requested' | (typeof hops)[number][0], number>;

const pauseMs = 1_000;
/** Webhooks are numbered within this time. */
const settleMs = 3_000;

/** Places one call per second and prints how long each hop took. */
export async function traceCalls(platform: CallPlatform, caller: TracedCaller, calls: number): Promise<void> {
  const requested = new Map<string, number>();
  for (let index = 0; index < calls; index += 1) {
    const placed = await caller.placeTraced(index);
    if (placed) requested.set(placed.id, placed.askedAtMs);
    await sleep(pauseMs);
  }
  await caller.idle();
  await sleep(settleMs);
  const traces = await readTraces(platform, requested);
  print(traces, calls);
}

async function readTraces({ query, dir }: CallPlatform, requested: Map<string, number>): Promise<Moments[]> {
  const commits = Map.groupBy(await takeCommits(query), ({ callId }) => callId);
  const [phones, carrier] = (['phones', 'carrier'] as PartyKind[]).map((kind) =>
    readMessages(messageFile(dir, kind)),
  ) as [Map<string, PartyTimes>, Map<string, PartyTimes>];
  const numbered = new Map(
    (
      await query(
        `select subject_id, extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000 as at_ms
           from events where type = 'channel-answer'`,
      )
    ).map((row) => [String(row.subject_id), Number(row.at_ms)]),
  );
  return [...requested].flatMap(([callId, requestedAtMs]) => {
    const at = (step: Commit['step']) => commits.get(callId)?.find((each) => each.step === step)?.atMs;
    const moments = {
      requested: requestedAtMs,
      placed: at('placed'),
      claimed: at('claimed'),
      phoneInvited: phones.get(callId)?.invitedAtMs,
      phoneAnswered: phones.get(callId)?.answeredAtMs,
      carrierInvited: carrier.get(callId)?.invitedAtMs,
      carrierAnswered: carrier.get(callId)?.answeredAtMs,
      answered: at('answered'),
      numbered: numbered.get(callId),
    };
    return Object.values(moments).every((each) => each !== undefined) ? [moments as Moments] : [];
  });
}

function print(traces: Moments[], calls: number): void {
  const row = (name: string, times: number[]): void =>
    console.log(
      `trace: ${[0.5, 0.95].map((share) => percentile(times, share).toFixed(1).padStart(7)).join(' ')} ms  ${name}`,
    );
  console.log(`trace: ${traces.length} of ${calls} calls, median and p95 of each hop`);
  let before: keyof Moments = 'requested';
  for (const [moment, name] of hops) {
    const from = before;
    row(
      name,
      traces.map((trace) => trace[moment] - trace[from]),
    );
    before = moment;
  }
  row(
    'from the request to the committed answer',
    traces.map(({ requested, answered }) => answered - requested),
  );
}
