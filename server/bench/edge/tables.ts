import { setTimeout as sleep } from 'node:timers/promises';
import type { EdgeAddresses, SipAddress } from '../../../tools/dev/voice/cell.ts';
import { answerCalls, openMediaNode } from '../../test/harness/edge/calls.ts';
import { openSipClient, type SipClient } from '../../test/harness/edge/sip-client.ts';
import type { OwnerQuery } from '../../test/harness/fixtures/billing-rows.ts';
import { crowdPhone } from '../../test/scenarios/edge-endurance/crowd-rows.ts';
import {
  callPhone,
  type LegitimatePhone,
  logIn,
} from '../../test/scenarios/edge-endurance/legitimate-phones.ts';
import { percentile } from '../calls-list.ts';

/** An edge with a caller and a called party. */
export interface Corner {
  name: string;
  node: SipClient;
  phones: LegitimatePhone[];
  close(): Promise<void>;
}

export interface Times {
  fresh: number[];
  refresh: number[];
  call: number[];
}

const pauseMs = 20;
const phonesACorner = 10;

/** Opens a corner that uses the last of the registered phones. */
export async function openCorner(
  name: string,
  place: EdgeAddresses,
  query: OwnerQuery,
  crowd: number,
): Promise<Corner> {
  const node = await openMediaNode({ addMediaNode: (at) => addNode(query, at) }, { private: place.private });
  const phones = await Promise.all(
    Array.from({ length: phonesACorner }, (_, index) => openPhone(place.public, crowd - 1 - index)),
  );
  return {
    name,
    node,
    phones,
    close: async () =>
      void (await Promise.all([node, ...phones.map(({ client }) => client)].map((each) => each.close()))),
  };
}

async function openPhone(edge: SipAddress, index: number): Promise<LegitimatePhone> {
  const { address, ...who } = crowdPhone(index);
  const client = await openSipClient({ server: edge, local: { address } });
  answerCalls(client);
  const phone = { client, who };
  const fault = await logIn(phone);
  if (fault !== undefined) throw new Error(`${who.ramal}@${who.domain} cannot log in. ${fault}`);
  return phone;
}

export const pickPhone = ({ phones }: Corner, index: number): LegitimatePhone => {
  const phone = phones[index % phones.length];
  if (!phone) throw new Error('There are no phones.');
  return phone;
};

/** Measures both alternately, so that background load affects both. */
export async function compareCorners(
  corners: Corner[],
  rounds: number,
  eachRound: number,
): Promise<Map<string, Times>> {
  const times = new Map<string, Times>(
    corners.map(({ name }) => [name, { fresh: [], refresh: [], call: [] }]),
  );
  for (let round = 0; round < rounds; round += 1) {
    for (const corner of corners) {
      const own = times.get(corner.name);
      if (own) await measureRound(corner, own, round, eachRound);
    }
  }
  for (const [name, own] of times) console.log(`${name}: ${formatTimes(own)}`);
  return times;
}

async function measureRound(corner: Corner, times: Times, round: number, eachRound: number): Promise<void> {
  const phone = pickPhone(corner, round);
  for (let turn = 0; turn < eachRound; turn += 1) {
    const callId = `login-${round}-${turn}-${phone.client.callId}`;
    times.fresh.push(await timed(() => logIn(phone, callId)));
    times.refresh.push(await timed(() => logIn(phone, callId)));
    times.call.push(await timed(() => callPhone(corner.node, phone)));
    await sleep(pauseMs);
  }
}

async function timed(act: () => Promise<string | undefined>): Promise<number> {
  const startedAt = performance.now();
  const fault = await act();
  if (fault !== undefined) throw new Error(`A measured request failed. ${fault}`);
  return performance.now() - startedAt;
}

const formatTimes = (times: Times): string =>
  Object.entries(times)
    .map(
      ([what, ms]) =>
        `${what} p50/p99 ${[0.5, 0.99].map((share) => percentile(ms, share).toFixed(1)).join('/')} ms`,
    )
    .join(', ');

const addNode = async (
  query: OwnerQuery,
  { address, port }: { address: string; port: number },
): Promise<void> => {
  await query(
    `insert into media_nodes (name, secret_hash, sip_address, created_at) values ($1, sha256('none'), $2, now())`,
    [`c${port}`, `${address}:${port}`],
  );
};
