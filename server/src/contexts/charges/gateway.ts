/** Port of a payment gateway. Its adapters live in adapters/payments and pass one conformance suite. */
export interface PaymentGateway {
  readonly name: GatewayName;
  /**
   * Finds the gateway's customer for this account by its reference, or creates it. Idempotent.
   * Throws GatewayRefused or GatewayUnavailable.
   */
  ensureCustomer(customer: GatewayCustomer): Promise<{ customerId: string }>;
  updateCustomer(customerId: string, customer: GatewayCustomer): Promise<void>;
  /**
   * Finds the payment with this reference, or creates it. Idempotent, even if the response to an earlier attempt was
   * lost.
   */
  ensurePayment(payment: PaymentRequest): Promise<GatewayPayment>;
  /** Returns the payment's current state; undefined if it does not exist at the gateway. */
  readPayment(paymentId: string): Promise<GatewayPayment | undefined>;
  /**
   * Cancels an unpaid payment and returns its new state. Paid and cancelled payments stay as they are. Throws
   * GatewayRefused for an unknown payment.
   */
  cancelPayment(paymentId: string): Promise<GatewayPayment>;
  /** The copy-and-paste code of an instant payment and its QR image as base64 PNG. */
  readPix(paymentId: string): Promise<{ code: string; imageBase64: string; expiresAt: Date }>;
  /**
   * Parses an inbound notification. Returns its payment id, or undefined if it is irrelevant. Throws GatewayRefused if
   * it is not authenticated. The content is not trusted: the payment is read from the gateway.
   */
  readNotification(
    headers: Record<string, string | undefined>,
    body: unknown,
  ): { eventId: string; paymentId: string } | undefined;
}

export type GatewayName = 'asaas' | 'sandbox';

export const paymentMethods = ['UNDEFINED', 'CREDIT_CARD', 'DEBIT_CARD', 'BOLETO', 'PIX'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];
export const cardMethods = ['CREDIT_CARD', 'DEBIT_CARD'] as const satisfies PaymentMethod[];

export const chargeStatuses = [
  'PENDING',
  'CONFIRMED',
  'RECEIVED',
  'OVERDUE',
  'CANCELED',
  'REFUNDED',
  'CHARGEBACK',
] as const;
export type ChargeStatus = (typeof chargeStatuses)[number];

export interface GatewayCustomer {
  /** Our reference for the customer: the account's uuid. */
  reference: string;
  name: string;
  cpfCnpj: string;
  email: string;
  phone: string | null;
  mobilePhone: string | null;
  /** Comma-separated. */
  additionalEmails: string | null;
}

export interface PaymentRequest {
  /** Our reference for the payment: unique, and known before the gateway is called. */
  reference: string;
  /** Undefined if the gateway needs no customer. */
  customerId: string | undefined;
  method: PaymentMethod;
  totalMicros: number;
  /** YYYY-MM-DD, in Sao Paulo. */
  dueDate: string;
  description: string;
}

export interface GatewayPayment {
  id: string;
  reference: string;
  status: ChargeStatus;
  /** How it was paid, or may be paid; a payer may have chosen another method than the charge's. */
  method: PaymentMethod;
  totalMicros: number;
  /** Amount refunded: a part of the total while the payment counts as paid, the total once REFUNDED. */
  refundedMicros: number;
  /** URL of the payment page. */
  link: string;
  /** The linha digitável (typeable line) of the bank slip. */
  code: string | null;
  invoiceId: string | null;
  invoiceLink: string | null;
  paidAt: Date | null;
  receivedAt: Date | null;
  refundedAt: Date | null;
}

/** The gateway rejected the request; retrying does not help. */
export class GatewayRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'GatewayRefused';
  }
}

/** The gateway did not respond, or asked to retry later. Whether the request took effect is unknown. */
export class GatewayUnavailable extends Error {
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds = 30, cause?: unknown) {
    super(message, { cause });
    this.name = 'GatewayUnavailable';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
