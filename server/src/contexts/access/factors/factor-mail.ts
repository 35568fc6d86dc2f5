import type { Tx } from '../../../platform/db/database.ts';
import type { FactorChange, Locale, QueueMail } from '../../notifications/index.ts';

/** Mails the user about a change of their second factors. */
export async function queueFactorMail(
  tx: Tx,
  queueMail: QueueMail,
  user: { email: string; locale: string },
  { change, name, at }: { change: FactorChange; name: string; at: Date },
): Promise<void> {
  await queueMail(tx, {
    to: user.email,
    locale: user.locale as Locale,
    template: 'second-factor-changed',
    data: { change, name, changedAt: at.toISOString() },
  });
}
