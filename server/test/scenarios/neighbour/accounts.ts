import type { Budgeted } from '../../../src/contexts/limits/index.ts';
import { insertCalls } from '../../harness/fixtures/call-rows.ts';
import { password } from '../../harness/people.ts';
import type { Receiver } from '../../harness/webhooks/receiver.ts';
import { sendRequest } from '../faults/send-request.ts';
import { freshAddress } from '../faults/tenants.ts';
import {
  addCustomer,
  addLine,
  type Customer,
  type Line,
  requester,
  untilRegistered,
} from '../many-nodes/line.ts';
import { webhookTypes } from '../many-nodes/make-lines.ts';
import { talkSeconds } from '../many-nodes/rolling-faults.ts';
import { type Attacker, integrationBody } from './attacks.ts';
import type { Deployment } from './run.ts';
import type { Neighbour } from './work.ts';

export interface User {
  email: string;
  token: string;
}

const neighbourLines = 10;
const neighbourUsers = 4;
/** As many as a test account may have. */
const attackerExtensions = 10;
const attackerUsers = 10;
const attackerIntegrations = 20;
/** Enough that an export whose client does not read stays open. */
const attackerCalls = 5_000;

/** Creates an account without budgets, as the operator gives one that has grown. */
export async function addNeighbour(deployment: Deployment, receiver: Receiver): Promise<Neighbour> {
  const { apiUrl, query } = deployment;
  const customer = await addCustomer(deployment);
  await query('insert into account_budgets (account_id, resource) select $1, resource from budgets', [
    customer.id,
  ]);
  const metadata = { webhookUrl: receiver.url, webhookTypes };
  await expectOk(
    customer.ask('PATCH', '/integrations', {
      gateway: 'crm',
      webhook: true,
      webhookConstraint: {},
      metadata,
    }),
  );
  const users = await addUsers(deployment, customer, neighbourUsers + 1, 'ADMIN');
  const [visitor, ...readers] = users;
  if (!visitor) throw new Error('There is no user.');
  const lines = await addLines(deployment, customer, neighbourLines);
  return { id: customer.id, apiUrl, lines, users: readers, visitor, receiver };
}

/** Creates a test account with the default budgets, except these, and credit, and uses its budgets of objects. */
export async function addAttacker(
  deployment: Deployment,
  webhookUrl: string,
  budgets: Partial<Record<Budgeted, number>>,
): Promise<Attacker> {
  const { apiUrl, query } = deployment;
  const customer = await addCustomer(deployment);
  // addCustomer raises the caps; the budget of calls at once applies again.
  await query('update account_caps set concurrent_calls = null where account_id = $1', [customer.id]);
  for (const [resource, most] of Object.entries(budgets))
    await query('insert into account_budgets (account_id, resource, most) values ($1, $2, $3)', [
      customer.id,
      resource,
      most,
    ]);
  const lines = await addLines(deployment, customer, attackerExtensions);
  await query('update extensions set record_calls = true where account_id = $1', [customer.id]);
  const users = await addUsers(deployment, customer, attackerUsers - 1, 'ADMIN');
  const [first] = users;
  const integrationIds: number[] = [];
  for (let count = 0; count < attackerIntegrations; count += 1) {
    const body = integrationBody(`lento${count}`, webhookUrl);
    const { json } = await expectOk(requester(apiUrl, first?.token ?? '')('PATCH', '/integrations', body));
    integrationIds.push(json.id);
  }
  const yesterday = Date.now() - 86_400_000;
  const calls = Array.from({ length: attackerCalls }, (_, index) => ({
    startedAt: new Date(yesterday + index),
  }));
  await insertCalls({ query }, customer, calls);
  return {
    apiUrl,
    tokens: users.map(({ token }) => token),
    ramais: lines.map(({ ramal }) => ramal),
    integrationIds,
    webhookUrl,
    startedAt: new Date().toISOString(),
  };
}

async function addLines(deployment: Deployment, customer: Customer, count: number): Promise<Line[]> {
  const lines: Line[] = [];
  for (let line = 0; line < count; line += 1)
    lines.push(await addLine(deployment, customer, 1, { hangUpAfterSeconds: talkSeconds }));
  await untilRegistered(lines, deployment);
  return lines;
}

async function addUsers(
  { apiUrl, query }: Deployment,
  customer: Customer,
  count: number,
  role: 'ADMIN' | 'USER',
): Promise<User[]> {
  const users: User[] = [];
  for (let number = 0; number < count; number += 1) {
    const email = `pessoa-${number}@${customer.domain}`;
    const body = { name: 'Ana', email, password, phone: '5511912345678', role };
    await expectOk(customer.ask('POST', '/users', body));
    await query('update users set email_verified = true where email = $1', [email]);
    const login = await sendRequest(apiUrl, {
      method: 'POST',
      path: '/users/login',
      body: { email, password },
      address: freshAddress(),
    });
    users.push({ email, token: login.body?.id ?? '' });
  }
  return users;
}

async function expectOk(asked: ReturnType<Customer['ask']>) {
  const reply = await asked;
  if (reply.status !== 200) throw new Error(`Returned ${reply.status}: ${JSON.stringify(reply.json)}`);
  return reply;
}
