/** What a payment gateway does for us. Its adapters live in adapters/payments and pass one conformance suite. */
export interface PaymentGateway {
  readonly name: GatewayName;
  /**
   * The gateway's customer for this account: found by its reference, or made. Safe to repeat after any failure.
   * Throws GatewayRefused or GatewayUnavailable.
   */
  ensureCustomer(customer: GatewayCustomer): Promise<{ customerId: string }>;
  /** Brings contact data up to date. */
  updateCustomer(customerId: string, customer: GatewayCustomer): Promise<void>;
  /** The payment of this reference: found, or made. Safe to repeat, also when an earlier attempt got no answer. */
  ensurePayment(payment: PaymentRequest): Promise<GatewayPayment>;
  /** The payment as the gateway has it now; undefined when it does not know it. */
  readPayment(paymentId: string): Promise<GatewayPayment | undefined>;
  /**
   * Cancels an unpaid payment and answers its state afterwards; one that was paid meanwhile stays paid, and one that
   * was cancelled before stays cancelled. Throws GatewayRefused for a payment that it does not know.
   */
  cancelPayment(paymentId: string): Promise<GatewayPayment>;
  /** The copy-and-paste code of an instant payment and its QR image as PNG in base64. */
  readPix(paymentId: string): Promise<{ code: string; imageBase64: string; expiresAt: Date }>;
  /**
   * Reads an inbound notification: the payment it is about, or undefined for one that is no business of ours.
   * Throws GatewayRefused when it does not prove that it comes from the gateway. What it says is never believed
   * beyond that: the payment is read again.
   */
  readNotification(
    headers: Record<string, string | undefined>,
    body: unknown,
  ): { eventId: string; paymentId: string } | undefined;
}

export type GatewayName = 'asaas' | 'sandbox';

export const paymentMethods = ['UNDEFINED', 'CREDIT_CARD', 'DEBIT_CARD', 'BOLETO', 'PIX'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

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
  /** Our own name for the customer: the account's uuid. */
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
  /** Our own name for the payment: unique, and known before the gateway is asked. */
  reference: string;
  /** Absent where the gateway needs no customer. */
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
  totalMicros: number;
  /** What went back to the payer: part of the total while the payment counts as paid, all of it once REFUNDED. */
  refundedMicros: number;
  /** Where a person pays. */
  link: string;
  /** The bank slip's line. */
  code: string | null;
  invoiceId: string | null;
  invoiceLink: string | null;
  paidAt: Date | null;
  receivedAt: Date | null;
  refundedAt: Date | null;
}

/** The gateway understood and said no; asking again changes nothing. */
export class GatewayRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'GatewayRefused';
  }
}

/** The gateway did not answer, or not now. Whether it did what it was asked is unknown. */
export class GatewayUnavailable extends Error {
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds = 30, cause?: unknown) {
    super(message, { cause });
    this.name = 'GatewayUnavailable';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
