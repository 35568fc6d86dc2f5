import type { DialledCall } from '../../../simulator/voice/index.ts';
import type { TestAccount } from '../harness/people.ts';
import { until } from '../harness/until.ts';
import { type VoicePlatform, whenCall } from '../voice/harness/voice-platform.ts';

let numbers = 0;

/** A fixed number that nobody else has. */
export function freshNumber(): string {
  numbers += 1;
  return `5511${32_000_000 + numbers}`;
}

/** The operator gives the account a number. */
export async function assignNumber(
  { database }: VoicePlatform,
  { id }: TestAccount,
  number: string,
): Promise<void> {
  await database.query(
    `insert into caller_ids (account_id, mode, number, status, source, created_at, owned_at)
     values ($1, 'test', $2, 'owned', 'operator', now(), now())`,
    [id, number],
  );
}

/** The call of the account that has these values, as soon as it is listed. */
export async function whenListed(account: TestAccount, where: Record<string, unknown>) {
  return await until(async () => {
    const { body } = await account.admin.client.list('/calls', { where }, { page: '1' });
    return body.data[0];
  }, 'the call is listed');
}

export async function listedCalls(account: TestAccount): Promise<Record<string, unknown>[]> {
  const { body } = await account.admin.client.list('/calls', undefined, { page: '1' });
  return body.data;
}

/** What became of a call that was refused, or that nobody answered. */
export async function statusOf(dialled: DialledCall): Promise<number> {
  const { status, answeredAtMs } = await dialled.ended();
  if (answeredAtMs !== undefined) throw new Error('The call was answered.');
  return status ?? 0;
}

/** The kinds of events that were told of a call, in their order. */
export async function eventTypes({ database }: VoicePlatform, callId: string): Promise<string[]> {
  const rows = await database.query<{ type: string }>(
    `select type from events where subject_id = $1 and data ? 'sequence' order by (data->>'sequence')::integer`,
    [callId],
  );
  return rows.map(({ type }) => type);
}

/** Hangs up and waits until the call is written as it ended. */
export async function whenHungUp(account: TestAccount, dialled: DialledCall, callId: string) {
  await dialled.hangUp();
  return await whenCall(account, callId, 'ended');
}
