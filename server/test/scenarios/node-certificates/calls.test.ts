import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../tools/dev/ports.ts';
import { startNodeHaproxy } from '../../../../tools/dev/services/haproxy.ts';
import { makeNodeCertificates } from '../../harness/node-certificates.ts';
import { until } from '../../harness/until.ts';
import { listenTo, numberEnding } from '../../harness/voice/lines.ts';
import { startVoicePlatform, type VoicePlatform, whenCall } from '../../harness/voice/voice-platform.ts';

const certificates = makeNodeCertificates(['m1', 'm2']);
const dir = mkdtempSync(join(tmpdir(), 'disca-node-haproxy-'));
/** Longer than two attempts of the node to connect. */
const attemptsMs = 3_000;
const ready = createServer((_request, response) => response.end());
let platform: VoicePlatform;
let ports: { node: number; voice: number; ready: number };
let haproxy: Awaited<ReturnType<typeof startNodeHaproxy>>;

/** Starts the load balancer of the media node m1, with the certificate of this node. */
const presentCertificate = async (node: string): Promise<void> => {
  haproxy = await startNodeHaproxy({
    name: `node-haproxy-${ports.node}`,
    dir,
    listenPort: ports.node,
    voice: { port: ports.voice, opsPort: ports.ready },
    ...certificates.files(node),
  });
};

beforeAll(async () => {
  await once(ready.listen(0, '127.0.0.1'), 'listening');
  ports = {
    node: await freePort(),
    voice: await freePort(),
    ready: (ready.address() as AddressInfo).port,
  };
  await presentCertificate('m1');
  platform = await startVoicePlatform({
    controlPort: ports.node,
    settings: {
      VOICE_TLS_PORT: String(ports.voice),
      VOICE_PLAIN_NETWORKS: '192.0.2.1',
      ...certificates.settings,
    },
  });
});
afterAll(async () => {
  await platform?.close();
  await haproxy?.stop();
  ready.close().closeAllConnections();
  certificates.remove();
  rmSync(dir, { recursive: true, force: true });
});

const isConnected = async (): Promise<boolean> => {
  const [node] = await platform.database.query<{ connected: boolean }>(
    `select connected from media_nodes where name = 'm1'`,
  );
  return node?.connected === true;
};

test('NODE-02 a call and its recording work over TLS, with the certificate of the node only', async () => {
  const account = await platform.addAccount();
  const line = await platform.addLine(account, {
    extension: { gravar_audio: 1 },
    phone: { behaviour: 'tone' },
  });
  const id = await line.call(numberEnding('95'));
  await whenCall(account, id, 'answered');
  await sleep(2_000);
  await platform.engines.simulator.hangUpPhone(id);
  const { record_url: url } = await whenCall(account, id, 'ended');
  await until(
    async () => ((await listenTo(platform, url)).status === 200 ? true : undefined),
    'the recording is stored',
  );

  await haproxy.stop();
  await until(async () => !(await isConnected()), 'the node is disconnected');
  await presentCertificate('m2');
  await sleep(attemptsMs);
  expect(await isConnected()).toBe(false);
  await haproxy.stop();
  await presentCertificate('m1');
  await until(isConnected, 'the node is connected again');
});
