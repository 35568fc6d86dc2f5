import type { Tx } from '../../../platform/db/database.ts';
import { reaisFromMicros } from '../../../platform/money.ts';
import { recordEvent } from '../../../platform/outbox.ts';
import type { QueueMail } from '../../notifications/index.ts';
import { listAdmins } from '../../users/index.ts';
import type { Book } from './ledger.ts';

export interface LowBalanceDeps {
  queueMail: QueueMail;
  consoleUrl: string;
}

/** Publishes low-balance when available credit falls below the threshold, and again only after it has been above it. */
export async function warnOfLowBalance(
  tx: Tx,
  deps: LowBalanceDeps,
  accountId: number,
  book: Book,
  posted: { becameLow?: boolean; availableMicros: number },
  at: Date,
): Promise<void> {
  if (!posted.becameLow) return;
  const available = reaisFromMicros(posted.availableMicros);
  await recordEvent(tx, {
    accountId,
    type: 'balance-low',
    subjectId: String(accountId),
    data: { available, book },
    occurredAt: at,
  });
  for (const admin of await listAdmins(tx, accountId)) {
    await deps.queueMail(tx, {
      to: admin.email,
      locale: admin.locale,
      template: 'balance-low',
      data: { available, isTest: book === 'test', link: `${deps.consoleUrl}/credit` },
    });
  }
}
