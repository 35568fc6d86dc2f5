import type { Tx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';

/** Refuses an account whose address may have been confirmed by a mail scanner only. */
export async function requireProvedAddress(tx: Tx, accountId: number): Promise<void> {
  const { address_proved: isProved } = await tx
    .selectFrom('account_info')
    .select('address_proved')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (isProved) return;
  throw new Refusal(
    'ADDRESS_UNPROVEN',
    'Open the link of the confirmation e-mail and log in on the page it opens first. `POST /accounts/signup/resend` sends a new link.',
  );
}
