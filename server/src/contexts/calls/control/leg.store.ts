import type { Selectable } from 'kysely';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { columns, executePrepared, prepared, queryPrepared } from '../../../platform/db/prepared.ts';
import type { LiveLegs } from '../../../platform/db/schema.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { secondsAfter } from '../../../platform/time.ts';
import { longestWaitSeconds } from '../call.rules.ts';
import type { Lease } from '../call.ts';
import type { LegOrder, LegPlace, LegReport, LegState, RunningLeg } from './leg.ts';

type Row = Pick<
  Selectable<LiveLegs>,
  | 'id'
  | 'account_id'
  | 'call_id'
  | 'node'
  | 'letter'
  | 'role'
  | 'number'
  | 'engine_leg'
  | 'order_data'
  | 'state'
  | 'place'
  | 'wanted'
  | 'is_muted'
  | 'wants_mute'
  | 'purpose'
  | 'fetches'
  | 'created_at'
  | 'answered_on_node'
  | 'answered_at'
  | 'funded_seconds'
  | 'renew_at'
>;

const legColumns = columns`
  id, account_id, call_id, node, letter, role, number, engine_leg, order_data, state, place, wanted, is_muted, wants_mute,
  purpose, fetches, created_at, answered_on_node, answered_at, funded_seconds, renew_at`;

const fromRow = (row: Row): RunningLeg => ({
  id: row.id,
  accountId: row.account_id,
  callId: row.call_id,
  node: row.node,
  letter: row.letter,
  role: row.role as RunningLeg['role'],
  number: row.number,
  engineLeg: row.engine_leg,
  order: row.order_data as unknown as LegOrder | null,
  state: row.state as LegState,
  place: row.place as LegPlace,
  wanted: row.wanted as LegPlace,
  isMuted: row.is_muted,
  wantsMute: row.wants_mute,
  purpose: row.purpose as RunningLeg['purpose'],
  fetches: row.fetches,
  createdAt: row.created_at,
  answeredOnNode: row.answered_on_node,
  answeredAt: row.answered_at,
  fundedSeconds: row.funded_seconds,
  renewAt: row.renew_at,
});

/** Returns the legs of the node that have to be dialled, moved, muted or unmuted, or that should leave. */
export async function findWantedLegs(db: Database, node: string): Promise<RunningLeg[]> {
  const query = prepared<Row>`select ${legColumns} from wanted_legs(${node})`;
  return (await queryPrepared(db, query)).map(fromRow);
}

/** Returns the legs of a running call that has had a command, also those that have ended. */
export async function findLegsOfCall(db: Database, callId: string): Promise<RunningLeg[]> {
  const query = prepared<Row>`select ${legColumns} from legs_of_call(${callId})`;
  return (await queryPrepared(db, query)).map(fromRow);
}

/** Returns the legs of the node's calls that have had commands, also those that have ended. */
export async function findLegsOfNode(db: Database, node: string): Promise<RunningLeg[]> {
  const query = prepared<Row>`select ${legColumns} from legs_of_node(${node})`;
  return (await queryPrepared(db, query)).map(fromRow);
}

/**
 * Claims a leg for dialling, once only. Returns false if it was claimed before, should no longer be dialled or waited too
 * long, or if the lease is no longer held.
 */
export async function claimLeg(db: Database, lease: Lease, legId: string, at: Date): Promise<boolean> {
  const createdAfter = secondsAfter(at, -longestWaitSeconds);
  const query = prepared<{ isClaimed: boolean }>`
    select claim_leg(${lease.node}, ${lease.epoch}, ${legId}, ${createdAfter}, ${at}) as "isClaimed"`;
  const [row] = await queryPrepared(db, query);
  return row?.isClaimed ?? false;
}

/**
 * Writes what the engine reported of legs, in the given order within a call, and returns the legs that changed. Reports
 * that repeat what is known change nothing; if the lease is no longer held, none does.
 */
export async function reportLegs(db: Database, lease: Lease, reports: LegReport[]): Promise<Set<string>> {
  const rows = reports.map(({ legId, ...report }, position) => ({
    position,
    leg_id: legId,
    kind: report.kind,
    at: report.at,
    event_id: uuidv7(report.at),
    engine_leg: report.kind === 'engine-leg' ? report.engineLeg : undefined,
    place: report.kind === 'placed' ? report.place : undefined,
    is_muted: report.kind === 'muted' ? report.isMuted : undefined,
    on_node: 'onNode' in report ? report.onNode : undefined,
  }));
  const query = prepared<{ legId: string }>`
    select leg_id as "legId" from place_legs(${lease.node}, ${lease.epoch}, ${JSON.stringify(rows)}) as leg_id`;
  return new Set((await queryPrepared(db, query)).map(({ legId }) => legId));
}

/** Locks a leg that has answered and not ended. The live call must be locked before. */
export async function lockAnsweredLeg(
  tx: Tx,
  accountId: number,
  id: string,
): Promise<RunningLeg | undefined> {
  const query = prepared<Row>`
    select ${legColumns} from live_legs
     where account_id = ${accountId} and id = ${id} and state = 'answered' for update`;
  const [row] = await executePrepared(tx, query);
  return row && fromRow(row);
}

/** Whether the leg that the funding of the call pays for has ended. */
export async function hasDestinationEnded(tx: Tx, accountId: number, callId: string): Promise<boolean> {
  const query = prepared<{ hasEnded: boolean }>`
    select exists (
      select from live_legs where account_id = ${accountId} and call_id = ${callId} and role = 'destination'
         and letter in ('a', 'b') and state = 'ended') as "hasEnded"`;
  const [row] = await executePrepared(tx, query);
  return row?.hasEnded ?? false;
}

export async function saveLegFunding(
  tx: Tx,
  { accountId, id }: RunningLeg,
  fundedSeconds: number,
  renewAt: Date | null,
): Promise<void> {
  const query = prepared`
    update live_legs set funded_seconds = ${fundedSeconds}, renew_at = ${renewAt}
     where account_id = ${accountId} and id = ${id}`;
  await executePrepared(tx, query);
}
