import type { AddressInfo } from 'node:net';
import { addDeck, giveCredit } from '../../../server/test/harness/fixtures/billing.ts';
import { extensionBody, markRegistered } from '../../../server/test/harness/fixtures/extensions.ts';
import { createAccount, type TestAccount } from '../../../server/test/harness/people.ts';
import { type Platform, startPlatform } from '../../../server/test/harness/platform.ts';
import { Disca, type DiscaOptions } from '../../src/index.ts';

/** A complete service on a real port, with an account that can place calls. */
export interface Service {
  platform: Platform;
  url: string;
  account: TestAccount;
  /** Number of a registered extension. */
  extension: string;
  disca: Disca;
  client(options?: Partial<DiscaOptions>): Disca;
  close(): Promise<void>;
}

export const destination = '5511987654321';

export async function startService(
  settings: Record<string, string> = {},
  { hasWorker = false } = {},
): Promise<Service> {
  const platform = await startPlatform({
    RATE_LIMIT_SCALE: '1000',
    EVENT_STREAM_SECONDS: '3600',
    ...settings,
  });
  // The worker calls the API, so it must listen.
  if (hasWorker) await platform.mail();
  else await platform.listen();
  const url = addressOf(platform);
  await addDeck(platform, [{ prefix: '55', price: 0.12 }]);
  const account = await createAccount(platform);
  await giveCredit(platform, account.id, 100);
  const { body } = await account.admin.client.post('/extensions', extensionBody());
  await markRegistered(platform, body.id);
  const client = (options: Partial<DiscaOptions> = {}) =>
    new Disca({ baseUrl: url, token: account.admin.token, ...options });
  return {
    platform,
    url,
    account,
    extension: body.ramal,
    disca: client(),
    client,
    close: () => platform.close(),
  };
}

/** Returns the address of a platform that is already listening. */
export const addressOf = ({ app }: Platform): string =>
  `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
