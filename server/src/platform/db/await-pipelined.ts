/**
 * Waits for statements that were sent one after the other without waiting. If several fail, the first of them tells
 * why: the others failed because of it, or would not have been sent.
 */
export async function together<T extends readonly unknown[]>(
  ...sent: { [Index in keyof T]: Promise<T[Index]> }
): Promise<T> {
  const outcomes = await Promise.allSettled(sent);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as T;
}
