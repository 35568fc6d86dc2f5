import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { ComposedStack } from '../../../tools/dev/containers/stack.ts';
import { type ApiClient, type Body, createApiClient, until } from '../../../tools/dev/demo/api-client.ts';
import { freePort } from '../../../tools/dev/ports.ts';

/** A company with credit, an answering softphone and a webhook receiver. */
export interface Company {
  api: ApiClient;
  /**
   * Waits until the phone is registered. A phone that refreshed while the edge was stopped registers again after its
   * retry interval.
   */
  untilRegistered(): Promise<unknown>;
  place(called: string): Promise<string>;
  call(id: string): Promise<Body>;
  /** Returns the correctly signed events of this call, once the last of them has arrived. */
  awaitEvents(id: string, last: string): Promise<string[]>;
  stop(): Promise<void>;
}

const timeoutSeconds = 180;
const registrationSeconds = 300;

export async function foundCompany(stack: ComposedStack): Promise<Company> {
  const name = `company-${randomBytes(3).toString('hex')}`;
  const domain = `${name}.disca.localhost`;
  const api = await signUp(stack, name, domain);
  await topUp(api);
  const webhooks = await receiveWebhooks(api, stack.gateway);
  const ramal = '1000';
  const senha = randomBytes(9).toString('base64url');
  const owner = { first_name: 'Ana', last_name: 'Souza', email_address: `${name}@example.com` };
  await api.post('/extensions', { ramal, senha, ...owner, gravar_audio: 1 });
  const added = await stack.run('phone', `${ramal}@${domain}`, senha);
  if (added.exitCode !== 0) throw new Error(added.output);
  const untilRegistered = () =>
    until('the softphone registers', registrationSeconds, async () => {
      const [extension] = (await api.get('/extensions')) as unknown as Body[];
      return extension?.registered === true ? true : undefined;
    });
  await untilRegistered();
  return {
    api,
    untilRegistered,
    call: (id) => api.get(`/calls/${id}`),
    place: async (called) =>
      String((await api.post('/calls', { caller: ramal, called, extension: ramal })).id),
    ...webhooks,
  };
}

async function signUp(stack: ComposedStack, name: string, domain: string): Promise<ApiClient> {
  const visitor = createApiClient(`${stack.apiUrl}/api/v1`);
  const email = `${name}@example.com`;
  const password = randomBytes(9).toString('base64url');
  const company = { organization_name: 'Padaria Sol', domain, phone: '5511987654321', crm: 'Outros' };
  await visitor.post('/accounts/signup', { ...company, email, password, user_quantity: '1-5' });
  const link = await until('the confirmation mail arrives', timeoutSeconds, async () => {
    const mail = await (await fetch(`${stack.mailboxUrl}/messages?to=${email}`)).text();
    return /http[^"\\ ]*\/accounts\/confirm[^"\\ ]*/.exec(mail)?.[0];
  });
  await fetch(link, { redirect: 'manual' });
  const { id } = await visitor.post('/users/login', { email, password });
  return visitor.as(String(id));
}

async function topUp(api: ApiClient): Promise<void> {
  const dueDate = new Date(Date.now() + 3 * 24 * 3600 * 1_000).toISOString().slice(0, 10);
  const charge = await api.post('/charges', {
    paymentMethod: 'PIX',
    dueDate,
    amount: 25,
    description: 'Trial',
  });
  await api.post(`/sandbox/charges/${String(charge.id)}/pay`);
  await until('the payment is credited', timeoutSeconds, async () =>
    Number((await api.get('/accounts/balance')).available) > 0 ? true : undefined,
  );
}

async function receiveWebhooks(api: ApiClient, address: string) {
  const verified: { id?: string; eventType?: string }[] = [];
  let verifier: Webhook | undefined;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      try {
        verified.push(
          verifier?.verify(body, request.headers as Record<string, string>) as (typeof verified)[number],
        );
        response.writeHead(204).end();
      } catch {
        response.writeHead(400).end();
      }
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  const { id } = await api.patch('/integrations', {
    gateway: 'trial',
    webhook: true,
    webhookConstraint: {},
    metadata: {
      webhookUrl: `http://${address}:${port}/disca`,
      webhookTypes: ['channel-answer', 'channel-hangup', 'recording-ready'],
    },
  });
  verifier = new Webhook(String((await api.get(`/integrations/${String(id)}/secret`)).secret));
  const eventTypes = (callId: string): string[] =>
    verified.filter((event) => event.id === callId).map((event) => String(event.eventType));
  return {
    awaitEvents: (callId: string, last: string) =>
      until('the webhooks arrive', timeoutSeconds, async () =>
        eventTypes(callId).includes(last) ? eventTypes(callId) : undefined,
      ),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
