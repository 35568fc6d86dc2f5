import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { adjustCredit } from '../../../src/contexts/billing/index.ts';
import { inAccount, openDatabase } from '../../../src/platform/db/database.ts';
import { microsFromReais } from '../../../src/platform/money.ts';
import type { ChaosDeployment } from '../../harness/deployments/chaos.ts';
import { sendRequest } from '../faults/send-request.ts';
import { createTenant, freshAddress, type Tenant } from '../faults/tenants.ts';
import type { Random } from './random.ts';

/** An extension with a registered softphone. */
export interface Line {
  accountId: number;
  token: string;
  ramal: string;
}

export const creditReais = 10_000;
const maxWaitMs = 180_000;

/**
 * Creates accounts with credit and the same number of lines each. Softphones answer quickly and hang up seconds later.
 */
export async function makeLines(
  deployment: ChaosDeployment,
  random: Random,
  accounts: number,
  linesEach: number,
): Promise<Line[]> {
  const lines: Line[] = [];
  for (let account = 0; account < accounts; account += 1) {
    const tenant = await createTenant(deployment.apiUrls[0], deployment.query);
    const [row] = await deployment.query('select id from accounts where domain = $1', [tenant.domain]);
    const accountId = Number(row?.id);
    await raiseCaps(deployment, accountId);
    for (let line = 0; line < linesEach; line += 1) {
      const ramal = String(2000 + line);
      await addLine(deployment, random, tenant, ramal);
      lines.push({ accountId, token: tenant.token, ramal });
    }
  }
  await allRegistered(deployment, lines.length);
  return lines;
}

async function addLine(
  deployment: ChaosDeployment,
  random: Random,
  tenant: Tenant,
  ramal: string,
): Promise<void> {
  const senha = randomBytes(9).toString('base64url');
  const body = {
    ramal,
    senha,
    first_name: 'Ana',
    last_name: 'Souza',
    email_address: `${ramal}@${tenant.domain}`,
    gravar_audio: 0,
  };
  const question = {
    method: 'POST',
    path: '/extensions',
    token: tenant.token,
    body,
    address: freshAddress(),
  };
  const { status, text } = await sendRequest(deployment.apiUrls[0], question);
  if (status !== 200) throw new Error(`Creating the extension returned ${status}: ${text}`);
  await deployment.engines.simulator.addPhone({
    ramal,
    domain: tenant.domain,
    password: senha,
    edge: deployment.engines.edgeAddress,
    answerAfterSeconds: random.pick([0, 0, 1, 2]),
    hangUpAfterSeconds: Math.round(random.between(3, 9)),
  });
}

/** Gives an account credit and caps that no test reaches. */
export async function raiseCaps(
  { serviceUrl, query }: Pick<ChaosDeployment, 'serviceUrl' | 'query'>,
  accountId: number,
): Promise<void> {
  await query(
    `insert into account_caps (account_id, calls_per_second, concurrent_calls, daily_spend_micros)
     values ($1, 1000, 1000, $2)`,
    [accountId, microsFromReais(creditReais)],
  );
  const db = openDatabase(
    { url: serviceUrl, poolSize: 1, applicationName: 'chaos', statementTimeoutMs: 5_000 },
    () => undefined,
  );
  const deps = { queueMail: async () => undefined, consoleUrl: '' };
  const credit = { accountId, micros: microsFromReais(creditReais), reason: 'Chaos', key: 'chaos' };
  await inAccount(db, accountId, (tx) => adjustCredit(tx, deps, { ...credit, at: new Date() }));
  await db.close();
}

async function allRegistered({ query }: ChaosDeployment, count: number): Promise<void> {
  const deadline = Date.now() + maxWaitMs;
  for (;;) {
    const [row] = await query(
      'select count(*)::int as count from extension_presence where expires_at > now()',
    );
    if (row?.count === count) return;
    if (Date.now() > deadline) throw new Error(`Only ${row?.count} of ${count} softphones are registered.`);
    await sleep(200);
  }
}
