/**
 * Awaits pipelined statements. If several fail, throws the first error: the later ones are consequences of it.
 */
export async function awaitPipelined<T extends readonly unknown[]>(
  ...sent: { [Index in keyof T]: Promise<T[Index]> }
): Promise<T> {
  const outcomes = await Promise.allSettled(sent);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as T;
}
