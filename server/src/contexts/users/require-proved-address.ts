import type { Tx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';

/** Refuses an account whose address may have been confirmed by a mail scanner only. */
export async function requireProvedAddress(tx: Tx, accountId: number): Promise<void> {
  const { address_proved: isProved, email } = await tx
    .selectFrom('account_info')
    .select(['address_proved', 'email'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (isProved) return;
  throw new Refusal(
    'ADDRESS_UNPROVEN',
    `The address of the account, ${email}, is not proved. Log in with it on the page that the link of the confirmation e-mail opens; \`POST /accounts/signup/resend\` sends a new link. If no ADMIN has this address, enter that of one with \`PATCH /accounts\` first.`,
  );
}
