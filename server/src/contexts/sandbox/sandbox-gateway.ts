import { randomBytes } from 'node:crypto';
import { type Database, inTransaction } from '../../platform/db/database.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { type GatewayPayment, GatewayRefused, type PaymentGateway } from '../charges/index.ts';
import { bankSlipLine } from './bank-slip.rules.ts';
import { readNotification } from './notification.ts';
import { afterChange, choicesOf, statusAt } from './payment.rules.ts';
import { ensurePayment, findPayment, lockPayment, savePayment } from './payment.store.ts';
import { type Payment, payee } from './payment.ts';
import { pixCode } from './pix-code.rules.ts';
import { qrPng } from './qr-image.ts';

export interface SandboxGatewayDeps {
  db: Database;
  clock: Clock;
  keyRing: KeyRing;
  /** Public URL of the payment page. */
  publicUrl: string;
}

/** Creates the gateway of test accounts, which behaves like a real one but moves no money. */
export function createSandboxGateway(deps: SandboxGatewayDeps): PaymentGateway {
  const { db, clock, publicUrl } = deps;
  const present = (payment: Payment): GatewayPayment => presentAt(payment, clock.now(), publicUrl);

  return {
    name: 'sandbox',
    ensureCustomer: async ({ reference }) => ({ customerId: `sbx_customer_${reference}` }),
    async updateCustomer() {
      // Contact data is not needed: the sandbox sends no messages to payers.
    },
    async ensurePayment({ reference, method, totalMicros, dueDate, description }) {
      const id = `sbx_${randomBytes(16).toString('base64url')}`;
      const asked = { id, reference, method, totalMicros, dueDate, description, createdAt: clock.now() };
      return present(await inTransaction(db, (tx) => ensurePayment(tx, asked)));
    },
    async readPayment(paymentId) {
      const payment = await inTransaction(db, (tx) => findPayment(tx, paymentId));
      return payment && present(payment);
    },
    async cancelPayment(paymentId) {
      return await inTransaction(db, async (tx) => {
        const before = known(await lockPayment(tx, paymentId));
        const after = afterChange(before, 'cancel', clock.now());
        if (after) await savePayment(tx, after);
        return present(after ?? before);
      });
    },
    async readPix(paymentId) {
      const payment = known(await inTransaction(db, (tx) => findPayment(tx, paymentId)));
      const code = pixCodeOf(payment);
      const image = await qrPng(code);
      return { code, imageBase64: image.toString('base64'), expiresAt: codeExpiry(payment) };
    },
    readNotification: (headers, body) => readNotification(deps, headers, body),
  };
}

export function pixCodeOf({ number, totalMicros }: Payment): string {
  const transactionId = `SBX${String(number).padStart(10, '0')}`;
  return pixCode({
    key: payee.pixKey,
    payeeName: payee.name,
    payeeCity: payee.city,
    totalMicros,
    transactionId,
  });
}

function presentAt(payment: Payment, at: Date, publicUrl: string): GatewayPayment {
  const link = `${publicUrl}/sandbox/pay/${payment.id}`;
  return {
    id: payment.id,
    reference: payment.reference,
    status: statusAt(payment, at),
    method: payment.method,
    totalMicros: payment.totalMicros,
    refundedMicros: payment.status === 'REFUNDED' ? payment.totalMicros : 0,
    link,
    code: choicesOf(payment.method).includes('BOLETO') ? bankSlipLine(payment) : null,
    invoiceId: String(payment.number),
    invoiceLink: link,
    paidAt: payment.paidAt,
    receivedAt: payment.receivedAt,
    refundedAt: payment.refundedAt,
  };
}

const oneYearSeconds = 365 * 24 * 3600;

/** Returns the expiry of the Pix code. An overdue payment can still be paid, so the code outlives the due date. */
const codeExpiry = ({ dueDate }: Payment): Date =>
  secondsAfter(new Date(`${dueDate}T03:00:00.000Z`), oneYearSeconds);

function known(payment: Payment | undefined): Payment {
  if (!payment) throw new GatewayRefused('Payment not found at the sandbox.');
  return payment;
}
