const everyMs = 2_000;

/** Prints progress to stderr, at most every two seconds; nothing with --json. */
export function createProgress(isForPrograms: boolean | undefined): (text: string) => void {
  let toldAtMs = 0;
  return (text) => {
    if (isForPrograms || Date.now() - toldAtMs < everyMs) return;
    toldAtMs = Date.now();
    process.stderr.write(`… ${text.trim()}\n`);
  };
}
