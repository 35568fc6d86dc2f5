import { randomBytes } from 'node:crypto';
import type { PhoneOptions, SimulatedPhone } from '../../../../simulator/voice/index.ts';
import type { ManyNodesDeployment } from '../../harness/deployments/many-nodes.ts';
import { until } from '../../harness/until.ts';
import type { Engines, TestEdge } from '../../harness/voice/engines.ts';
import { raiseCaps } from '../chaos/lines.ts';
import { sendRequest } from '../faults/send-request.ts';
import { createTenant, freshAddress } from '../faults/tenants.ts';

/** The fields that these tests read of any response. */
export interface Reply {
  status: number;
  json: ReturnType<typeof JSON.parse>;
  /** Why there is no response, or not a valid one. */
  fault: string | undefined;
}

/** An account with credit, and its requests to the API. */
export interface Customer {
  id: number;
  domain: string;
  ask(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Reply>;
}

/** An extension with a softphone registered at one of the edges. */
export interface Line {
  customer: Customer;
  id: number;
  ramal: string;
  senha: string;
  phone: SimulatedPhone;
}

/** The parts of a deployment that customers with phones need. */
export type Served = Pick<ManyNodesDeployment, 'apiUrl' | 'query' | 'serviceUrl'> & {
  engines: Pick<Engines, 'simulator'> & { edges: Pick<TestEdge, 'address'>[] };
};

export async function addCustomer(deployment: Served): Promise<Customer> {
  const { domain, token } = await createTenant(deployment.apiUrl, deployment.query);
  const [row] = await deployment.query('select id from accounts where domain = $1', [domain]);
  const id = Number(row?.id);
  await raiseCaps(deployment, id);
  await deployment.query('update users set email_verified = true where account_id = $1', [id]);
  return { id, domain, ask: requester(deployment.apiUrl, token) };
}

/** Returns a function that sends requests with this token, always from the same address. */
export function requester(apiUrl: string, token: string): Customer['ask'] {
  const address = freshAddress();
  return async (method, path, body, headers) => {
    const question = { method, path, token, address, body, headers, timeoutMs };
    const { status, body: json, fault } = await sendRequest(apiUrl, question);
    return { status, json, fault: fault === undefined ? undefined : `${method} ${path}: ${fault}` };
  };
}

/** Ends hanging requests only. */
const timeoutMs = 120_000;

let ramais = 2_000;

/** Adds an extension of the customer without a softphone. */
export async function addExtension(
  customer: Customer,
  isRecorded = false,
): Promise<{ id: number; ramal: string; senha: string }> {
  ramais += 1;
  const ramal = String(ramais);
  const senha = randomBytes(9).toString('base64url');
  const { status, json } = await customer.ask('POST', '/extensions', {
    ramal,
    senha,
    first_name: 'Ana',
    last_name: 'Souza',
    email_address: `${ramal}@${customer.domain}`,
    gravar_audio: isRecorded ? 1 : 0,
  });
  if (status !== 200) throw new Error(`Creating the extension returned ${status}.`);
  return { id: json.id, ramal, senha };
}

export async function addLine(
  deployment: Served,
  customer: Customer,
  edge: 1 | 2,
  phone: Partial<PhoneOptions> = {},
  isRecorded = false,
): Promise<Line> {
  const extension = await addExtension(customer, isRecorded);
  const softphone = await deployment.engines.simulator.addPhone({
    ramal: extension.ramal,
    domain: customer.domain,
    password: extension.senha,
    edge: deployment.engines.edges[edge - 1]?.address ?? '',
    behaviour: 'silent',
    ...phone,
  });
  return { customer, ...extension, phone: softphone };
}

export async function untilRegistered(lines: { id: number }[], { query }: Served): Promise<void> {
  const ids = lines.map(({ id }) => id);
  await until(async () => {
    const registered = await query(
      'select from extension_presence where expires_at > now() and extension_id = any($1)',
      [ids],
    );
    return registered.length === ids.length;
  }, 'all softphones are registered');
}
