import { systemClock } from '../../../platform/time.ts';
import { createAsaasClient } from './client.ts';
import { asaasCustomer, listOf } from './schemas.ts';

const timeoutMs = 6_000;

/** Sends a minimal request. Throws if the gateway is down or rejects the key. */
export async function checkAsaasKey(baseUrl: string, apiKey: string): Promise<void> {
  const ask = createAsaasClient({ baseUrl, apiKey, userAgent: 'Disca', timeoutMs, clock: systemClock });
  await ask('GET', '/customers?limit=1', listOf(asaasCustomer));
}
