import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningAsterisk } from '../../../tools/dev/services/asterisk.ts';
import { asText, edgeAddresses, mediaNodeAddress, type VoiceCell } from '../../../tools/dev/voice/cell.ts';
import type { OwnerQuery } from '../../test/harness/fixtures/billing-rows.ts';
import { pinService } from '../measure/machine.ts';
import type { Checkout } from './checkout.ts';

export interface BenchNode {
  node: RunningAsterisk;
  name: string;
  secret: string;
  /** Resolves when the node has no channels left; returns how many had to be ended. */
  idle(): Promise<number>;
}

export interface NodeOptions {
  checkout: Checkout;
  /** Name of the platform. */
  platform: string;
  dir: string;
  cell: VoiceCell;
  /** From 1; determines name and address. */
  number: number;
  /** Port of the program that controls the node. */
  voicePort: number;
  query: OwnerQuery;
}

/** Long, because this benchmark sends no audio that would keep the calls alive. */
const rtpTimeoutSeconds = 600;
const maxIdleWaitMs = 15_000;

/** Starts a media node on the CPU of the service, and registers it. */
export async function startNode(options: NodeOptions): Promise<BenchNode> {
  const { checkout, platform, dir, cell, number, voicePort, query } = options;
  const name = `m${number}`;
  const [secret, ariPassword] = [18, 12].map((size) => randomBytes(size).toString('base64url')) as [
    string,
    string,
  ];
  const sip = mediaNodeAddress(cell, number);
  await query(
    'insert into media_nodes (name, secret_hash, sip_address, created_at) values ($1, $2, $3, now())',
    [name, createHash('sha256').update(secret).digest(), asText(sip)],
  );
  const node = await checkout.startMediaNode({
    ...{ node: name, name: `bench-${platform}-${name}`, dir: join(dir, name), sip, rtpTimeoutSeconds },
    edges: [edgeAddresses(cell)],
    controlUrl: `ws://127.0.0.1:${voicePort}/asterisk`,
    controlSecret: secret,
    ari: { password: ariPassword },
  });
  pinService(node.pid);
  const headers = { authorization: `Basic ${btoa(`node:${ariPassword}`)}` };
  return { node, name, secret, idle: () => untilIdle(`${node.url}/channels`, headers) };
}

async function untilIdle(url: string, headers: Record<string, string>): Promise<number> {
  const deadline = Date.now() + maxIdleWaitMs;
  for (;;) {
    const answer = await fetch(url, { headers });
    const channels = (await answer.json()) as { id: string }[];
    if (channels.length === 0) return 0;
    if (Date.now() > deadline) {
      for (const { id } of channels) await fetch(`${url}/${id}`, { method: 'DELETE', headers });
      return channels.length;
    }
    await sleep(250);
  }
}
