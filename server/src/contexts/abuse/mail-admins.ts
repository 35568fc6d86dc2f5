import type { Tx } from '../../platform/db/database.ts';
import type { QueueMail } from '../notifications/index.ts';
import { listAdmins } from '../users/index.ts';
import type { SignalFacts } from './signals.rules.ts';

export interface MailDeps {
  queueMail: QueueMail;
  consoleUrl: string;
}

/** Mails a signal to the ADMINs of the account. A kind of signal is stored once a day, so it is mailed once a day. */
export async function mailAdmins(
  tx: Tx,
  deps: MailDeps,
  accountId: number,
  { facts, isSuspended, at }: { facts: SignalFacts; isSuspended: boolean; at: Date },
): Promise<void> {
  const page = facts.kind === 'new_network' ? 'extensions' : 'calls';
  for (const { email, locale } of await listAdmins(tx, accountId)) {
    await deps.queueMail(tx, {
      to: email,
      locale,
      template: 'abuse-signal',
      data: { facts, isSuspended, at: at.toISOString(), link: `${deps.consoleUrl}/${page}` },
    });
  }
}
