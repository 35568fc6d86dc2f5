const quietMs = 2_000;
const repeatMs = 10_000;

export const seconds = (sinceMs: number): string => `${((Date.now() - sinceMs) / 1_000).toFixed(1)} s`;

/** Prints the current step once it takes over two seconds, and its duration at the end. */
export async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const startedMs = Date.now();
  let timer = setTimeout(function report() {
    console.log(`  …       ${title}, ${seconds(startedMs)} so far`);
    timer = setTimeout(report, repeatMs);
  }, quietMs);
  try {
    const result = await work();
    console.log(`  ok      ${title} (${seconds(startedMs)})`);
    return result;
  } catch (error) {
    console.log(`  failed  ${title} (${seconds(startedMs)})`);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
