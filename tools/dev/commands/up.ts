import { join } from 'node:path';
import { buildConsole } from '../console-build.ts';
import { ensureDatabase, ensureLogin, withClient } from '../database.ts';
import type { DevService } from '../dev-service.ts';
import {
  apiUrl,
  appRole,
  devDatabase,
  mailSinkEnvironment,
  mailUrl,
  operatorEnvironment,
  ownerDatabaseUrl,
  readyUrl,
  serverEnvironment,
} from '../environment.ts';
import { withLock } from '../lock.ts';
import { buildManual } from '../manual-build.ts';
import { inDev, logFileOf, root } from '../paths.ts';
import { knownPort, settlePort } from '../ports.ts';
import { findRunning } from '../process-records.ts';
import { seconds, step } from '../progress.ts';
import { capture } from '../run-command.ts';
import { devSecrets } from '../secrets.ts';
import { startNodeService } from '../services/node-service.ts';
import { startPostgres } from '../services/postgres.ts';
import { startRedis } from '../services/redis.ts';
import { UserError } from '../user-error.ts';
import { asText, edgeAddresses } from '../voice/cell.ts';
import { knownCell, settleCell } from '../voice/dev-cell.ts';
import { callControl, engineServices, registerEngines, shipper } from '../voice/dev-services.ts';
import { isLinked } from '../voice/link.ts';

const stores: DevService[] = [
  { name: 'postgres', ports: ['postgres'], start: startDevPostgres },
  { name: 'redis', ports: ['redis'], start: startDevRedis },
  { name: 'mail', ports: ['smtp', 'mail'], start: startMailSink },
];

const programs: DevService[] = [
  { name: 'api', ports: ['api', 'apiOps'], start: () => startProgram('api', 'apiOps') },
  { name: 'worker', ports: ['workerOps'], start: () => startProgram('worker', 'workerOps') },
  callControl,
];

/** In start order; stopped in reverse. */
const all = [...stores, ...programs, ...engineServices, shipper];

export const devServiceNames = all.map((service) => service.name);

export async function up(): Promise<number> {
  const startedMs = Date.now();
  process.once('SIGINT', () => {
    console.error(
      '\nInterrupted. Services already started keep running; ./dev up continues, ./dev down stops them.',
    );
    process.exit(130);
  });
  await withLock(async () => {
    for (const service of all) await settlePorts(service);
    if (!engineServices.some(({ name }) => findRunning(name))) await settleCell();
    await startAll(stores);
    await step('migrations', migrate);
    await step('console', async () => void (await buildConsole()));
    await step('manual', async () => void (await buildManual()));
    await registerEngines();
    await ensureRates();
    await startAll(programs);
    await startAll(engineServices);
    await ensureStarted(shipper);
  });
  console.log(`\nUp in ${seconds(startedMs)}.\n`);
  console.log(`  Console    ${apiUrl()}`);
  console.log(`  API        ${apiUrl()}/api/v1`);
  console.log(`  API docs   ${apiUrl()}/docs`);
  console.log(`  Manual     ${apiUrl()}/manual/`);
  console.log(`  Mail sink  ${mailUrl()}`);
  const edge = edgeAddresses(knownCell());
  console.log(`  SIP edge   ${asText(edge.public)}, TLS ${asText(edge.tls)}, wss://${asText(edge.wss)}/sip`);
  console.log(`  Phone      ${phoneHint()}`);
  return 0;
}

/** Explains how to use the phone of the console. */
function phoneHint(): string {
  const { wss } = edgeAddresses(knownCell());
  return isLinked(knownCell())
    ? `Open https://${asText(wss)} once and accept its certificate; then turn on the phone in the console.`
    : 'Not available in the browser: it needs a separate network interface, which only root can create.';
}

async function settlePorts(service: DevService): Promise<void> {
  if (findRunning(service.name)) return;
  for (const port of service.ports) await settlePort(port);
}

/** Awaits all services before throwing the first error, so that none is still starting in the background. */
async function startAll(services: DevService[]): Promise<void> {
  const outcomes = await Promise.allSettled(services.map(ensureStarted));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

async function ensureStarted(service: DevService): Promise<void> {
  if (findRunning(service.name)) return console.log(`  ok      ${service.name} is already running`);
  await step(service.name, service.start);
}

async function startDevPostgres(): Promise<void> {
  await startPostgres({
    name: 'postgres',
    dir: inDev('postgres'),
    port: knownPort('postgres'),
    durable: true,
    password: devSecrets().ownerPassword,
    logFile: logFileOf('postgres'),
    outlives: true,
  });
}

async function startDevRedis(): Promise<void> {
  const port = knownPort('redis');
  await startRedis({ name: 'redis', dir: inDev('redis'), port, logFile: logFileOf('redis'), outlives: true });
}

async function startMailSink(): Promise<void> {
  const entryFile = 'simulator/mail-sink/main.ts';
  await startNodeService({ name: 'mail', entryFile, env: mailSinkEnvironment(), readyUrl: mailUrl() });
}

/**
 * At the first start, imports a price list, because calls without a price are refused, and removes the budgets of test
 * accounts, so that development is not limited by them.
 */
async function ensureRates(): Promise<void> {
  const { rowCount } = await withClient(ownerDatabaseUrl(devDatabase), (client) =>
    client.query('select from rate_decks limit 1'),
  );
  if (rowCount) return;
  const imported = ['rates', 'import', join(root, 'deploy/rates/example-brazil.csv'), '--from', '2020-01-01'];
  await runDisca('Importing the price list', imported);
  await runDisca('Removing the budgets', ['budgets', 'default', 'all', '--test', 'none']);
}

async function runDisca(what: string, args: string[]): Promise<void> {
  const result = await capture(join(root, 'disca'), args, { env: operatorEnvironment() });
  if (result.exitCode !== 0) throw new UserError(`${what} failed:\n${result.output.trimEnd()}`);
}

async function migrate(): Promise<void> {
  await withClient(ownerDatabaseUrl('postgres'), async (client) => {
    await ensureDatabase(client, devDatabase);
    await ensureLogin(client, appRole, devSecrets().appPassword);
  });
  const result = await capture(process.execPath, ['server/src/main/migrate.ts'], {
    env: operatorEnvironment(),
  });
  if (result.exitCode !== 0) throw new UserError(`The migrations failed:\n${result.output.trimEnd()}`);
}

async function startProgram(name: 'api' | 'worker', ops: 'apiOps' | 'workerOps'): Promise<void> {
  const entryFile = `server/src/main/${name}.ts`;
  await startNodeService({ name, entryFile, env: serverEnvironment(ops), readyUrl: readyUrl(ops) });
}
