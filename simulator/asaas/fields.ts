import { dateOf, type FakeCustomer, type FakePayment, newId } from './payment.ts';

export type Fields = Record<string, unknown>;

/** An error response of the gateway: status, code and message. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, description: string) {
    super(description);
    this.status = status;
    this.code = code;
  }
}

export const invalid = (field: string, description: string) =>
  new Refused(400, `invalid_${field}`, description);

const minimumValue = 5;
const billingTypes = ['UNDEFINED', 'BOLETO', 'CREDIT_CARD', 'PIX'];
export const contactFields = ['email', 'phone', 'mobilePhone', 'additionalEmails', 'notificationDisabled'];

export function customerFrom(fields: Fields, now: Date): FakeCustomer {
  const cpfCnpj = required(fields, 'cpfCnpj');
  return {
    object: 'customer',
    id: newId('cus'),
    dateCreated: dateOf(now),
    name: required(fields, 'name'),
    cpfCnpj,
    personType: cpfCnpj.length === 11 ? 'FISICA' : 'JURIDICA',
    externalReference: optional(fields, 'externalReference'),
    deleted: false,
    city: null,
    cityName: null,
    ...Object.fromEntries(contactFields.map((name) => [name, fields[name] ?? null])),
  };
}

export function paymentFrom(fields: Fields, now: Date, pageUrl: string, number: number): FakePayment {
  const billingType = required(fields, 'billingType');
  if (!billingTypes.includes(billingType)) throw invalid('billingType', 'Forma de pagamento inválida.');
  const value = valueIn(fields);
  const dueDate = required(fields, 'dueDate');
  if (dueDate < dateOf(now)) throw invalid('dueDate', 'Não é permitido data de vencimento inferior a hoje.');
  const id = newId('pay');
  return {
    object: 'payment',
    id,
    dateCreated: dateOf(now),
    customer: required(fields, 'customer'),
    externalReference: optional(fields, 'externalReference'),
    billingType,
    value,
    netValue: Math.round(value * 100 - 199) / 100,
    status: 'PENDING',
    dueDate,
    description: optional(fields, 'description'),
    invoiceUrl: `${pageUrl}/i/${id.slice(4)}`,
    invoiceNumber: String(number).padStart(8, '0'),
    bankSlipUrl: ['BOLETO', 'UNDEFINED'].includes(billingType) ? `${pageUrl}/b/pdf/${id.slice(4)}` : null,
    transactionReceiptUrl: null,
    confirmedDate: null,
    clientPaymentDate: null,
    paymentDate: null,
    creditDate: null,
    deleted: false,
    refunds: null,
    chargeback: null,
  };
}

function valueIn({ value }: Fields): number {
  if (typeof value !== 'number' || !/^\d+(\.\d{1,2})?$/.test(String(value))) {
    throw invalid('value', 'O valor da cobrança é inválido.');
  }
  if (value < minimumValue) throw invalid('value', 'O valor mínimo da cobrança é R$ 5,00.');
  return value;
}

function required(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw invalid(name, `O campo ${name} deve ser informado.`);
  return value;
}

function optional(fields: Fields, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' ? value : null;
}
