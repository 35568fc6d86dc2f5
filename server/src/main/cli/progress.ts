const everyMs = 2_000;

/** Tells on the second channel what is being done, no more than every two seconds; programs are told nothing. */
export function createProgress(isForPrograms: boolean | undefined): (text: string) => void {
  let toldAtMs = 0;
  return (text) => {
    if (isForPrograms || Date.now() - toldAtMs < everyMs) return;
    toldAtMs = Date.now();
    process.stderr.write(`… ${text.trim()}\n`);
  };
}
