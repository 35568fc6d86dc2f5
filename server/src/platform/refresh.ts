/** Runs `refresh` at an interval, never concurrently. Returns a function that stops it. */
export function refreshEvery(
  intervalMs: number,
  refresh: () => Promise<void>,
  onFailure: (error: unknown) => void,
): () => void {
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    refresh()
      .catch(onFailure)
      .finally(() => {
        isRunning = false;
      });
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
