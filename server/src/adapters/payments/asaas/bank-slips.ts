import { isOpen, mayHaveBankSlip, statusOf } from './asaas.rules.ts';
import type { AsaasClient } from './client.ts';
import { type AsaasPayment, asaasBankSlip } from './schemas.ts';

const remembered = 1_000;

/** Caches bank slip lines. A line never changes and gateway requests are limited, so each process requests it once. */
export function createBankSlips(ask: AsaasClient) {
  const lines = new Map<string, string>();

  return async function findSlipLine(payment: AsaasPayment): Promise<string | null> {
    const cached = lines.get(payment.id);
    if (cached !== undefined) return cached;
    if (!mayHaveBankSlip(payment) || !isOpen(statusOf(payment))) return null;
    try {
      const path = `/payments/${encodeURIComponent(payment.id)}/identificationField`;
      const { identificationField } = await ask('GET', path, asaasBankSlip);
      lines.set(payment.id, identificationField);
      const [oldest] = lines.keys();
      if (lines.size > remembered && oldest !== undefined) lines.delete(oldest);
      return identificationField;
    } catch {
      // The payment is usable without its line, which the next read requests again.
      return null;
    }
  };
}
