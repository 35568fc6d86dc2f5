/**
 * Started by calibration.ts: repeats fixed work of about a millisecond, and returns the mean of its CPU time on request.
 * The work reads and writes 2 MB in random order, so that it also notices competition for caches.
 */
const memory = new Int32Array(2 ** 19);
const steps = 40_000;
const everyMs = 50;

let value = 1;
function work(): void {
  for (let step = 0; step < steps; step += 1) {
    value = (Math.imul(value, 1_664_525) + 1_013_904_223) | 0;
    const index = value >>> 13;
    memory[index] = (memory[index] ?? 0) ^ value;
  }
}

let samples: number[] = [];
function sample(): void {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  samples.push((user + system) / 1_000);
}

for (let count = 0; count < 50; count += 1) work();
setInterval(sample, everyMs);
process.on('message', () => {
  if (samples.length === 0) sample();
  process.send?.(samples.reduce((sum, ms) => sum + ms, 0) / samples.length);
  samples = [];
});
process.on('disconnect', () => process.exit());
