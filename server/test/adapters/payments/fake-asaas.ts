import { randomUUID } from 'node:crypto';
import { type FakeAsaas, startAsaas } from '../../../../simulator/asaas/index.ts';
import { type AsaasOptions, createAsaasGateway } from '../../../src/adapters/payments/asaas/index.ts';
import type { PaymentRequest } from '../../../src/contexts/charges/gateway.ts';

export const apiKey = '$aact_hmlg_test';
export const webhookToken = 'a-token-that-both-sides-know';

export interface AsaasFixture {
  asaas: FakeAsaas;
  /** Creates the adapter with other options. */
  gateway(more?: Partial<AsaasOptions>): ReturnType<typeof createAsaasGateway>;
  /** Returns a request for a new payment of an existing customer. */
  newRequest(more?: Partial<PaymentRequest>): PaymentRequest;
  dueDate(): string;
  stop(): Promise<void>;
}

export async function startFakeAsaas(): Promise<AsaasFixture> {
  const asaas = await startAsaas({ apiKey, webhookToken });
  const gateway = (more: Partial<AsaasOptions> = {}) =>
    createAsaasGateway({ baseUrl: asaas.url, apiKey, webhookToken, ...more });
  const { customerId } = await gateway().ensureCustomer(buildCustomer(randomUUID()));
  const dueDate = () => new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  return {
    asaas,
    gateway,
    dueDate,
    newRequest: (more = {}) => ({
      reference: randomUUID(),
      customerId,
      method: 'PIX',
      totalMicros: 50_010_000,
      dueDate: dueDate(),
      description: 'Crédito',
      ...more,
    }),
    stop: asaas.stop,
  };
}

export const buildCustomer = (reference: string, cpfCnpj = '52998224725') => ({
  reference,
  name: 'Ana Souza',
  cpfCnpj,
  email: 'ana@example.com',
  phone: null,
  mobilePhone: null,
  additionalEmails: null,
});
