import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BackupDeployment } from '../../harness/deployments/backup.ts';
import { until } from '../../harness/until.ts';
import { raiseCaps } from '../chaos/lines.ts';
import { sendRequest } from '../faults/send-request.ts';
import { createTenant, freshAddress } from '../faults/tenants.ts';
import { numberEnding } from '../many-nodes/place-calls.ts';

/** An account with credit, softphones that answer and hang up, and a webhook. */
export interface Customer {
  id: number;
  ask(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; json: ReturnType<typeof JSON.parse> }>;
  ramais: string[];
}

const linesEach = 3;
const talkSeconds = 2;

export async function addCustomer(deployment: BackupDeployment, webhookUrl: string): Promise<Customer> {
  const { domain, token } = await createTenant(deployment.apiUrl, deployment.query);
  const [row] = await deployment.query('select id from accounts where domain = $1', [domain]);
  const id = Number(row?.id);
  await raiseCaps(deployment, id);
  const address = freshAddress();
  const customer: Customer = {
    id,
    ramais: [],
    async ask(method, path, body) {
      const { status, text } = await sendRequest(deployment.apiUrl, { method, path, token, address, body });
      return { status, json: text === '' ? undefined : JSON.parse(text) };
    },
  };
  const webhookTypes = ['channel-create', 'channel-answer', 'channel-hangup', 'call-priced', 'charge-paid'];
  const { status, json } = await customer.ask('PATCH', '/integrations', {
    gateway: `${id}`,
    webhook: true,
    metadata: { webhookUrl, webhookTypes },
  });
  if (status !== 200) throw new Error(`Creating the integration returned ${status}: ${JSON.stringify(json)}`);
  for (let line = 0; line < linesEach; line += 1)
    customer.ramais.push(await addLine(deployment, customer, domain, line));
  await until(async () => {
    const registered = await deployment.query(
      `select from extension_presence p join extensions e on e.id = p.extension_id
        where p.expires_at > now() and e.account_id = $1`,
      [id],
    );
    return registered.length === linesEach;
  }, 'the softphones are registered');
  return customer;
}

async function addLine(
  deployment: BackupDeployment,
  customer: Customer,
  domain: string,
  line: number,
): Promise<string> {
  const ramal = String(2_000 + line);
  const senha = randomBytes(9).toString('base64url');
  const { status } = await customer.ask('POST', '/extensions', {
    ramal,
    senha,
    first_name: 'Ana',
    last_name: 'Souza',
    email_address: `${ramal}@${domain}`,
    gravar_audio: 1,
  });
  if (status !== 200) throw new Error(`Creating the extension returned ${status}.`);
  await deployment.engines.simulator.addPhone({
    ramal,
    domain,
    password: senha,
    edge: deployment.engines.edgeAddress,
    hangUpAfterSeconds: talkSeconds,
  });
  return ramal;
}

/** An accepted request and its time, with which a restore is compared. */
export interface Accepted {
  kind: 'call' | 'charge';
  id: string;
  askedAtMs: number;
  answeredAtMs: number;
}

export interface Load {
  /** Requests accepted so far. */
  accepted: readonly Accepted[];
  stop(): Promise<Accepted[]>;
}

/** Places calls at a steady rate and creates paid charges until stopped. */
export function startLoad(customers: Customer[], callsPerSecond: number): Load {
  const accepted: Accepted[] = [];
  const note = async (
    kind: Accepted['kind'],
    asking: () => ReturnType<Customer['ask']>,
  ): Promise<string | undefined> => {
    const askedAtMs = Date.now();
    const { status, json } = await asking();
    if (status !== 200) return undefined;
    accepted.push({ kind, id: String(json.id), askedAtMs, answeredAtMs: Date.now() });
    return String(json.id);
  };
  const stopping = new AbortController();
  const calling = atRate(callsPerSecond, stopping.signal, async (index) => {
    const customer = customers[index % customers.length];
    const ramal = customer?.ramais[index % linesEach] ?? '';
    const body = { caller: ramal, called: numberEnding('97'), extension: ramal };
    if (customer) await note('call', () => customer.ask('POST', '/calls', body));
  });
  const charging = Promise.all(
    customers.map(async (customer) => {
      while (!stopping.signal.aborted) {
        const id = await note('charge', () => customer.ask('POST', '/charges', newCharge()));
        if (id !== undefined) await customer.ask('POST', `/sandbox/charges/${id}/pay`);
        await sleep(500);
      }
    }),
  );
  return {
    accepted,
    async stop() {
      stopping.abort();
      await Promise.all([calling, charging]);
      return accepted;
    },
  };
}

async function atRate(
  rate: number,
  signal: AbortSignal,
  begin: (index: number) => Promise<void>,
): Promise<void> {
  const startedAtMs = Date.now();
  const started: Promise<void>[] = [];
  while (!signal.aborted) {
    started.push(begin(started.length));
    await sleep(Math.max(startedAtMs + (started.length * 1000) / rate - Date.now(), 0));
  }
  await Promise.all(started);
}

const newCharge = () => ({
  paymentMethod: 'PIX',
  dueDate: new Date(Date.now() + 3 * 24 * 3600 * 1000).toISOString().slice(0, 10),
  amount: 50,
  description: 'Créditos',
});
