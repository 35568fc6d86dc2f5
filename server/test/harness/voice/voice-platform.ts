import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SimulatedPhone, VoiceSimulator } from '../../../../simulator/voice/index.ts';
import { asText, simulatorAddress } from '../../../../tools/dev/voice/cell.ts';
import { ship } from '../../../src/adapters/asterisk/shipper/index.ts';
import { sweepCallsQueue } from '../../../src/contexts/calls/calls.jobs.ts';
import { jobHandlers } from '../../../src/main/jobs.ts';
import { createInstruments } from '../../../src/main/observe/instruments.ts';
import { startVoice, type Voice } from '../../../src/main/start-voice.ts';
import { startWorking } from '../../../src/platform/jobs.ts';
import { createMetrics } from '../../../src/platform/telemetry/metrics.ts';
import type { Client } from '../client.ts';
import { edgeLogin } from '../edge/edge.ts';
import { addDeck, giveCredit } from '../fixtures/billing.ts';
import { extensionBody } from '../fixtures/extensions.ts';
import { createAccount, type Person, type TestAccount } from '../people.ts';
import { type Platform, startPlatform } from '../platform.ts';
import { until } from '../until.ts';
import { chooseCell, type Engines, nodeAddress, startEngines, type TestNode } from './engines.ts';

/** The complete service with real processes: API, voice, shipper, worker, edge, media node, carrier and phones. */
export interface VoicePlatform extends Platform {
  engines: Engines;
  voice(): Voice;
  stopVoice(): Promise<void>;
  startVoice(): Promise<void>;
  /** Keeps records and recordings on the media node until `startShipping`. */
  stopShipping(): Promise<void>;
  startShipping(): void;
  /** Adds an account in test mode with credit. */
  addAccount(reais?: number): Promise<TestAccount>;
  /** Adds an extension of the account with a registered softphone. */
  addLine(account: TestAccount, options?: LineOptions): Promise<Line>;
}

export interface LineOptions {
  owner?: Person;
  phone?: Partial<Parameters<Engines['simulator']['addPhone']>[0]>;
  extension?: Record<string, unknown>;
  /** The simulator that runs the phone; default the engines' own. */
  simulator?: VoiceSimulator;
}

export interface Line {
  id: number;
  ramal: string;
  senha: string;
  account: TestAccount;
  phone: SimulatedPhone;
  /** Places a call and returns its id. */
  call(to: string, more?: Record<string, unknown>, client?: Client): Promise<string>;
}

export const nodeSecret = 'a secret of the tests';
export const pricePerMinute = 0.6;

export interface VoiceOptions {
  settings?: Record<string, string>;
  engines?: Partial<Parameters<typeof startEngines>[0]>;
  /** Which accounts the trunk serves; default test accounts. */
  trunkMode?: 'test' | 'live';
  /** Port of this machine through which the node and its shipper reach voice; default: that of voice. */
  controlPort?: number;
}

export async function startVoicePlatform(options: VoiceOptions = {}): Promise<VoicePlatform> {
  const files = await mkdtemp(join(tmpdir(), 'disca-recordings-'));
  const platform = await startPlatform({
    RATE_LIMIT_SCALE: '1000',
    VOICE_PORT: '0',
    STORAGE_URL: `file://${files}`,
    SHUTDOWN_GRACE_MS: '2000',
    ...options.settings,
  });
  const { database, api, config, clock } = platform;
  await addDeck(platform, [{ prefix: '55', price: pricePerMinute }]);
  const cell = options.engines?.cell ?? (await chooseCell());
  await addNode(platform, 'm1', nodeAddress(cell));
  // Inserted before call control starts, because it reads the trunks at start and then only rarely.
  await database.query(
    `insert into trunks (name, mode, address, default_caller_id, created_at)
     values ('simulator', $2, $1, '551130000000', now())`,
    [asText(simulatorAddress(cell)), options.trunkMode ?? 'test'],
  );
  let voice = await startVoice(config, api.base, api.money);
  const { port } = voice;
  const engines = await startEngines({
    edgeDatabaseUrl: await edgeLogin(database),
    controlUrl: `ws://127.0.0.1:${options.controlPort ?? port}/asterisk`,
    nodeSecret,
    cell,
    ...options.engines,
  });
  const shipping = createShipping(engines.node, options.controlPort ?? port);
  shipping.start();
  const transport = { send: () => Promise.resolve() } as never;
  const working = await startWorking(
    api.base.db,
    jobHandlers({ ...api.base, ...api.money, clock, transport, actions: {} }),
    { [sweepCallsQueue.name]: { everySeconds: 2 } },
    () => undefined,
  );
  const whole: VoicePlatform = {
    ...platform,
    engines,
    voice: () => voice,
    stopVoice: () => voice.stop(),
    async startVoice() {
      // Separate metrics, because voice is a separate process in production.
      const base = { ...api.base, instruments: createInstruments(createMetrics('voice'), 'voice') };
      voice = await startVoice({ ...config, VOICE_PORT: port }, base, api.money);
      await whenConnected(database);
    },
    stopShipping: shipping.stop,
    startShipping: shipping.start,
    async addAccount(reais = 100) {
      const account = await createAccount(platform);
      if (reais > 0) await giveCredit(platform, account.id, reais);
      return account;
    },
    addLine: (account, line) => addLine(whole, account, line),
    async close() {
      await shipping.stop();
      await working.stop(1_000);
      await voice.stop();
      await engines.stop();
      await platform.close();
      await rm(files, { recursive: true, force: true });
    },
  };
  await whenConnected(database);
  return whole;
}

const whenConnected = ({ query }: Platform['database']) =>
  until(async () => {
    const [node] = await query<{ connected: boolean }>(`select connected from media_nodes where name = 'm1'`);
    return node?.connected;
  }, 'the media node is connected');

export interface Shipping {
  start(): void;
  stop(): Promise<void>;
}

/** Creates the shipper of a media node; `port` is that of its controller. */
export function createShipping(node: TestNode, port: number): Shipping {
  let stopping = new AbortController();
  let shipped: Promise<void> = Promise.resolve();
  return {
    start() {
      stopping = new AbortController();
      const options = {
        url: `http://127.0.0.1:${port}`,
        node: node.name,
        secret: nodeSecret,
        recordsFile: node.detailRecords,
        recordingsDirectory: node.recordingsDir,
        onError: () => undefined,
      };
      shipped = ship(options, stopping.signal);
    },
    async stop() {
      stopping.abort();
      await shipped;
    },
  };
}

export async function addNode({ database }: Platform, name: string, sipAddress: string): Promise<void> {
  const hash = createHash('sha256').update(nodeSecret).digest();
  await database.query(
    'insert into media_nodes (name, secret_hash, sip_address, created_at) values ($1, $2, $3, now())',
    [name, hash, sipAddress],
  );
}

async function addLine(
  platform: VoicePlatform,
  account: TestAccount,
  { owner, phone, extension, ...line }: LineOptions = {},
): Promise<Line> {
  const senha = randomBytes(9).toString('base64url');
  // The user becomes the owner of the extension once the address is verified; only the mailed link is bypassed.
  if (owner)
    await platform.database.query('update users set email_verified = true where uuid = $1', [owner.uuid]);
  const email = owner === undefined ? {} : { email_address: owner.email };
  const body = extensionBody({ senha, ...email, ...extension });
  const created = await account.admin.client.post('/extensions', body);
  if (created.status !== 200)
    throw new Error(`Creating the extension returned ${created.status}: ${created.text}`);
  const { id, ramal } = created.body as { id: number; ramal: string };
  const { edgeAddress: edge, simulator: ownSimulator } = platform.engines;
  const { simulator = ownSimulator } = line;
  const softphone = await simulator.addPhone({
    ramal,
    domain: account.domain,
    password: senha,
    edge,
    ...phone,
  });
  await until(async () => {
    const { body: found } = await account.admin.client.get(`/extensions/${id}`);
    return found.registered;
  }, `the phone of ${ramal} is registered`);
  return {
    id,
    ramal,
    senha,
    account,
    phone: softphone,
    async call(to, more = {}, client = account.admin.client) {
      const placed = await client.post('/calls', { caller: ramal, called: to, extension: ramal, ...more });
      if (placed.status !== 200)
        throw new Error(`Placing the call returned ${placed.status}: ${placed.text}`);
      return placed.body.id as string;
    },
  };
}

/** Returns a call's record as soon as it has this status. */
export async function whenCall(account: TestAccount, callId: string, status: string, seconds?: number) {
  return await until(
    async () => {
      const { body } = await account.admin.client.get(`/calls/${callId}`);
      return body.status === status ? body : undefined;
    },
    `the call is ${status}`,
    seconds,
  );
}
