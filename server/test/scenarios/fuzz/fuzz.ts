import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import type { Api } from '../../../src/main/wire.ts';
import { type Answer, type Client, createClient } from '../../harness/client.ts';
import type { ContractCheck, OpenApiDocument } from '../../harness/contract.ts';
import type { Identity as Providers } from '../../harness/identity/sso-account.ts';
import { listOperations } from '../../harness/operations.ts';
import { createFuzzAccount, type FuzzAccount, type FuzzAccountDeps } from './fuzz-account.ts';
import { signGatewayEvent } from './gateway-event.ts';
import { heldMegabytes } from './heap.ts';
import { watchMailedTokens } from './mailed-tokens.ts';
import { addCreditAndCalls, ensureRates } from './money.ts';
import type { Session } from './pools.ts';
import { addRecording } from './recordings.ts';
import { createReport, type FuzzReport } from './report.ts';
import { requestsTo } from './request-arbitrary.ts';
import { type Identity, type RequestPlan, toWire, type WireRequest } from './request-plan.ts';

export interface FuzzTarget {
  app: FastifyInstance;
  document: OpenApiDocument;
  check: ContractCheck;
  api: Api;
  /** The identity provider that the service was started with. */
  identity: Providers;
  /** Queries as the owner of the database. */
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

export interface FuzzOptions {
  count: number;
  seed: number;
  onRound?: (report: FuzzReport) => void;
}

const laneCount = 8;
/** Number of rounds; memory is measured after each. */
const roundCount = 20;
const requestsPerAccount = 400;
const maxFaults = 10;

/**
 * Sends generated requests in parallel lanes. Each lane has its own accounts and sends one request at a time, so that
 * a seed reproduces the same sequence.
 */
export async function fuzz(target: FuzzTarget, { count, seed, onRound }: FuzzOptions): Promise<FuzzReport> {
  const operations = listOperations(target.document);
  const report = createReport(operations.map(({ name }) => name));
  const requests = requestsTo(operations);
  const mailed = watchMailedTokens(target.api.base.keyRing);
  await ensureRates(target.query);
  const lanes = Array.from({ length: laneCount }, (_, lane) => {
    const deps: FuzzAccountDeps = {
      client: createClient(target.app, target.check),
      mailed,
      identity: target.identity,
      addMoney: (accountId) => addCreditAndCalls(target.api, target.query, accountId),
      addRecording: (accountId) => addRecording(target.api, accountId),
      sign: (request) => signGatewayEvent(target.api, request),
      query: target.query,
    };
    return createLane(deps, requests, seed + lane * 100_003, report);
  });
  const perRound = Math.ceil(count / laneCount / roundCount);
  for (let round = 0; round < roundCount && report.faults.length < maxFaults; round += 1) {
    await Promise.all(lanes.map((lane) => lane.run(perRound)));
    // Mails are not sent here, so their jobs are discarded.
    await target.query('delete from pgboss.job');
    report.heldMegabytes.push(heldMegabytes());
    onRound?.(report);
  }
  await Promise.all(lanes.map((lane) => lane.end()));
  return report;
}

function createLane(
  deps: FuzzAccountDeps,
  requests: fc.Arbitrary<RequestPlan>,
  seed: number,
  report: FuzzReport,
) {
  let account: FuzzAccount | undefined;
  let age = 0;
  let plans: Iterator<RequestPlan> | undefined;
  let batches = 0;

  function nextPlan(): RequestPlan {
    const next = plans?.next();
    if (next && !next.done) return next.value;
    batches += 1;
    plans = fc.sample(requests, { seed: seed + batches, numRuns: requestsPerAccount }).values();
    return nextPlan();
  }

  async function ensureAccount(): Promise<FuzzAccount> {
    if (account && age < requestsPerAccount && (await account.recover())) return account;
    await account?.remove();
    account = await createFuzzAccount(deps);
    report.accounts += 1;
    age = 0;
    return account;
  }

  return {
    async run(count: number): Promise<void> {
      for (let sent = 0; sent < count && report.faults.length < maxFaults; sent += 1) {
        age += 1;
        await sendPlan(deps, await ensureAccount(), nextPlan(), report);
      }
    },
    async end(): Promise<void> {
      await account?.remove();
    },
  };
}

async function sendPlan(
  deps: FuzzAccountDeps,
  account: FuzzAccount,
  plan: RequestPlan,
  report: FuzzReport,
): Promise<void> {
  const session = account.sessionOf(plan.identity);
  const request = toWire(plan, (reference) => account.lookUp(reference, session));
  if (plan.operation.body?.['x-kind'] === 'gateway-event') deps.sign(request);
  if (plan.operation.name === 'POST /console/sso/callback' && plan.identity.who === 'anonymous')
    await account.returnFromProvider(request);
  const send = () => sendRequest(deps.client, plan.identity, session, request);
  const outcomes = await Promise.allSettled(plan.twice ? [send(), send()] : [send()]);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') {
      report.fault(plan.operation.name, request, String(outcome.reason));
      continue;
    }
    const answer = outcome.value;
    report.count(plan.operation.name, answer.status);
    if (answer.status >= 500) report.fault(plan.operation.name, request, `${answer.status} ${answer.text}`);
    account.learn(plan, request, session, answer);
  }
}

async function sendRequest(
  client: Client,
  identity: Identity,
  session: Session | undefined,
  { method, path, raw, headers }: WireRequest,
): Promise<Answer> {
  const options = { token: undefined, ...(raw === undefined ? {} : { raw }) };
  const all = { ...tokenHeader(identity, session), ...headers };
  return await client.request(method, path, { ...options, headers: all });
}

function tokenHeader({ who, header }: Identity, session: Session | undefined): Record<string, string> {
  const token = who === 'unknown-token' ? 'a'.repeat(64) : session?.token;
  if (token === undefined) return {};
  if (header === 'x-access-token') return { 'x-access-token': token };
  return { authorization: header === 'bearer' ? `Bearer ${token}` : token };
}
