import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { type ApiClient, type Body, createApiClient, until } from '../demo/api-client.ts';
import { followCall } from '../demo/follow-call.ts';
import { say } from '../demo/say.ts';
import { receiveWebhooks } from '../demo/webhooks.ts';
import { apiUrl, mailUrl } from '../environment.ts';
import { inDev } from '../paths.ts';
import { findRunning } from '../process-records.ts';
import { seconds } from '../progress.ts';
import { UserError } from '../user-error.ts';
import { registerPhone } from '../voice/register-phone.ts';

/** The simulated carrier answers numbers with this ending and hangs up after five seconds. */
const destination = '5511999990099';

interface Company {
  domain: string;
  email: string;
  password: string;
  admin: ApiClient;
}

/** Creates an account with credit and a softphone and places a real call, showing each step. */
export async function demo(): Promise<number> {
  for (const name of ['api', 'worker', 'voice', 'edge', 'm1', 'simulator']) {
    if (!findRunning(name)) throw new UserError(`${name} is not running. Run ./dev up first.`);
  }
  const startedMs = Date.now();
  const company = await signUp();
  const { admin, domain, email } = company;
  say('company', `${domain}, signed up, confirmed by e-mail, in test mode`);
  await topUp(admin);
  const webhooks = await receiveWebhooks(admin);
  const { ramal, senha } = await addExtension(admin, email);
  await registerPhone({ ramal, domain, password: senha });
  await until('the softphone registers', 15, async () => (await extensionIs(admin, ramal)) || undefined);
  say('softphone', `${ramal}@${domain}, registered at the edge, records its calls`);

  const call = { called: destination, extension: ramal, metadata: { deal: 'D-1024' } };
  const id = String((await admin.post('/calls', call)).id);
  say('call', `${id} to ${destination}`);
  const ended = await followCall(admin, id);
  say('price', String((await admin.get(`/calls/${id}/price`)).explanation));
  say('recording', await fetchRecording(String(ended.record_url), id));
  for (const [index, line] of (await webhooks.report(id)).entries()) say(index === 0 ? 'webhook' : '', line);
  await webhooks.stop();
  say('balance', `R$ ${String((await admin.get('/accounts/balance')).available)} available`);
  say('console', `${apiUrl()}/calls/${id}`);
  say('', `log in as ${email} with ${company.password}`);
  console.log(`\nDone: from sign-up to delivered webhook in ${seconds(startedMs)}.`);
  return 0;
}

async function signUp(): Promise<Company> {
  const visitor = createApiClient(`${apiUrl()}/api/v1`);
  const name = `demo-${randomBytes(3).toString('hex')}`;
  const domain = `${name}.disca.localhost`;
  const email = `${name}@example.com`;
  const password = randomBytes(9).toString('base64url');
  await visitor.post('/accounts/signup', {
    organization_name: 'Padaria Sol',
    domain,
    email,
    password,
    phone: '5511987654321',
    crm: 'Outros',
    user_quantity: '1-5',
  });
  const link = await until('the confirmation mail arrives', 30, async () => {
    const mail = await (await fetch(`${mailUrl()}/messages?to=${email}`)).text();
    return /http[^"\\ ]*\/accounts\/confirm[^"\\ ]*/.exec(mail)?.[0];
  });
  await fetch(link, { redirect: 'manual' });
  const { id: token } = await visitor.post('/users/login', { email, password });
  return { domain, email, password, admin: visitor.as(String(token)) };
}

async function topUp(admin: ApiClient): Promise<void> {
  const dueDate = new Date(Date.now() + 3 * 24 * 3600 * 1_000).toISOString().slice(0, 10);
  const charge = await admin.post('/charges', {
    paymentMethod: 'PIX',
    dueDate,
    amount: 25,
    description: 'Demo',
  });
  await admin.post(`/sandbox/charges/${String(charge.id)}/pay`);
  const credit = await until('the payment is credited', 30, async () => {
    const { available } = await admin.get('/accounts/balance');
    return Number(available) > 0 ? Number(available) : undefined;
  });
  say('credit', `R$ ${credit.toFixed(2)}, paid by Pix in the sandbox`);
}

async function addExtension(admin: ApiClient, email: string): Promise<{ ramal: string; senha: string }> {
  const senha = randomBytes(9).toString('base64url');
  const { ramal } = await admin.post('/extensions/next-available', {
    senha,
    first_name: 'Ana',
    last_name: 'Souza',
    email_address: email,
    gravar_audio: 1,
  });
  return { ramal: String(ramal), senha };
}

async function extensionIs(admin: ApiClient, ramal: string): Promise<boolean> {
  const filter = encodeURIComponent(JSON.stringify({ where: { ramal } }));
  const [extension] = (await admin.get(`/extensions?filter=${filter}`)) as unknown as Body[];
  return extension?.registered === true;
}

async function fetchRecording(url: string, id: string): Promise<string> {
  const audio = await until('the recording is stored', 30, async () => {
    const response = await fetch(url);
    return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
  });
  const file = inDev(`demo-${id}.wav`);
  writeFileSync(file, audio);
  return `${file} (${Math.round(audio.length / 1_000)} kB)`;
}
