import {
  type GatewayCustomer,
  type GatewayPayment,
  GatewayRefused,
  GatewayUnavailable,
  type PaymentGateway,
  type PaymentRequest,
} from '../../../contexts/charges/index.ts';
import { type Clock, systemClock } from '../../../platform/time.ts';
import { billingTypeOf, chosenAmong, instantOf, isOpen, presentPayment, reaisOf } from './asaas.rules.ts';
import { createBankSlips } from './bank-slips.ts';
import { createAsaasClient, NotThere } from './client.ts';
import { readNotification } from './notification.ts';
import {
  type AsaasPayment,
  asaasCustomer,
  asaasDeletion,
  asaasPayment,
  asaasPix,
  listOf,
} from './schemas.ts';

export interface AsaasOptions {
  /** `https://api.asaas.com/v3`, or `https://api-sandbox.asaas.com/v3` for tests. */
  baseUrl: string;
  apiKey: string;
  /** The `asaas-access-token` header of notifications. */
  webhookToken: string;
  userAgent?: string;
  timeoutMs?: number;
  clock?: Clock;
}

/** Finding and creating a payment must both finish within the lease of a charge. */
const defaultTimeoutMs = 6_000;

export function createAsaasGateway(options: AsaasOptions): PaymentGateway {
  const ask = createAsaasClient({
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    userAgent: options.userAgent ?? 'Disca',
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    clock: options.clock ?? systemClock,
  });
  const findSlipLine = createBankSlips(ask);

  async function findCustomer(reference: string) {
    const path = `/customers?externalReference=${encodeURIComponent(reference)}&limit=100`;
    const { data } = await ask('GET', path, listOf(asaasCustomer));
    return data.find((customer) => customer.externalReference === reference && !customer.deleted);
  }

  async function findPayment(reference: string) {
    const path = `/payments?externalReference=${encodeURIComponent(reference)}&limit=100`;
    const { data } = await ask('GET', path, listOf(asaasPayment));
    return chosenAmong(data.filter((payment) => payment.externalReference === reference));
  }

  const present = async (payment: AsaasPayment) => presentPayment(payment, await findSlipLine(payment));

  async function readPayment(paymentId: string): Promise<GatewayPayment | undefined> {
    try {
      return await present(await ask('GET', pathOf(paymentId), asaasPayment));
    } catch (error) {
      if (error instanceof NotThere) return undefined;
      throw error;
    }
  }

  async function updateCustomer(customerId: string, customer: GatewayCustomer) {
    await ask('PUT', `/customers/${encodeURIComponent(customerId)}`, asaasCustomer, customerBody(customer));
  }

  return {
    name: 'asaas',
    async ensureCustomer(customer) {
      const registered = await findOrMake(
        () => findCustomer(customer.reference),
        () => ask('POST', '/customers', asaasCustomer, customerBody(customer)),
      );
      // An earlier attempt may have registered the customer with a tax id that was corrected since.
      if (registered.cpfCnpj !== customer.cpfCnpj) await updateCustomer(registered.id, customer);
      return { customerId: registered.id };
    },
    updateCustomer,
    async ensurePayment(payment) {
      const body = paymentBody(payment);
      return present(
        await findOrMake(
          () => findPayment(payment.reference),
          () => ask('POST', '/payments', asaasPayment, body),
        ),
      );
    },
    readPayment,
    async cancelPayment(paymentId) {
      const before = await readPayment(paymentId);
      if (!before) throw new GatewayRefused(`Asaas has no payment ${paymentId}`);
      if (!isOpen(before.status)) return before;
      try {
        await ask('DELETE', pathOf(paymentId), asaasDeletion);
        return { ...before, status: 'CANCELED' };
      } catch (error) {
        // The payment was paid in the meantime, or it was deleted and the response was lost.
        const after = await readPayment(paymentId);
        if (after && !isOpen(after.status)) return after;
        throw error;
      }
    },
    async readPix(paymentId) {
      const pix = await ask('GET', `${pathOf(paymentId)}/pixQrCode`, asaasPix);
      return { code: pix.payload, imageBase64: pix.encodedImage, expiresAt: instantOf(pix.expirationDate) };
    },
    readNotification: (headers, body) => readNotification(options.webhookToken, headers, body),
  };
}

/**
 * Looks up an existing object before creating one: the gateway has no idempotency keys, and a POST whose response was
 * lost may have succeeded.
 */
async function findOrMake<Thing>(find: () => Promise<Thing | undefined>, make: () => Promise<Thing>) {
  const existing = await find();
  if (existing) return existing;
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error;
    const made = await find();
    if (made) return made;
    throw error;
  }
}

const pathOf = (paymentId: string) => `/payments/${encodeURIComponent(paymentId)}`;

function customerBody(customer: GatewayCustomer) {
  const { reference, ...data } = customer;
  // We notify customers ourselves; the gateway charges for its messages.
  return { ...data, externalReference: reference, notificationDisabled: true };
}

function paymentBody(payment: PaymentRequest) {
  if (payment.customerId === undefined) throw new GatewayRefused('Asaas needs a customer for every payment');
  return {
    customer: payment.customerId,
    billingType: billingTypeOf(payment.method),
    value: reaisOf(payment.totalMicros),
    dueDate: payment.dueDate,
    description: payment.description,
    externalReference: payment.reference,
  };
}
