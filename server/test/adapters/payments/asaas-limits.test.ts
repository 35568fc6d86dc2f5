import { expect, test } from 'vitest';
import { startAsaas } from '../../../../simulator/asaas/index.ts';
import { createAsaasGateway } from '../../../src/adapters/payments/asaas/index.ts';
import { GatewayUnavailable } from '../../../src/contexts/charges/gateway.ts';
import { apiKey, webhookToken } from './fake-asaas.ts';

test('runs at most 20 requests concurrently, queues 100 more and rejects the rest', async () => {
  const asaas = await startAsaas({ apiKey, webhookToken, latencyMs: 30 });
  try {
    const gateway = createAsaasGateway({ baseUrl: asaas.url, apiKey, webhookToken });
    const readings = Array.from({ length: 130 }, () => gateway.readPayment('pay_1'));
    const outcomes = await Promise.allSettled(readings);
    const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(rejected).toHaveLength(10);
    for (const { reason } of rejected) expect(reason).toBeInstanceOf(GatewayUnavailable);
    expect(asaas.traffic.requests).toHaveLength(120);
    expect(asaas.traffic.peak).toBeLessThanOrEqual(20);
    expect(await gateway.readPayment('pay_1')).toBeUndefined();
  } finally {
    await asaas.stop();
  }
});

test('reports an exhausted quota as an outage', async () => {
  const asaas = await startAsaas({ apiKey, webhookToken, quota: 1 });
  try {
    const gateway = createAsaasGateway({ baseUrl: asaas.url, apiKey, webhookToken });
    expect(await gateway.readPayment('pay_1')).toBeUndefined();
    await expect(gateway.readPayment('pay_1')).rejects.toThrow('429');
    await expect(gateway.readPayment('pay_1')).rejects.toThrow('rate limit reached');
    expect(asaas.traffic.requests).toHaveLength(2);
  } finally {
    await asaas.stop();
  }
});
