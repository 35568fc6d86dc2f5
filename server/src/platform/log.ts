import { type Logger, pino } from 'pino';

export type { Logger };

/** Secrets never reach a log line, wherever in it they stand up to this depth. */
const secretKeys = [
  'authorization',
  'x-access-token',
  'password',
  'oldPassword',
  'newPassword',
  'senha',
  'token',
  'secret',
  'cookie',
];
const redactedPaths = secretKeys.flatMap((key) =>
  ['', '*.', '*.*.', '*.*.*.'].map((depth) => `${depth}["${key}"]`.replace('.[', '[')),
);

export function createLogger(
  options: { level: string; process: string },
  stream?: { write(line: string): void },
): Logger {
  const settings = {
    level: options.level,
    base: { process: options.process },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redactedPaths, censor: '[redacted]' },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return stream ? pino(settings, stream) : pino(settings);
}
