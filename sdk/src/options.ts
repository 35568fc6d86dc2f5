import type { DiscaOptions } from './transport.ts';

interface Rule {
  meaning: string;
  accepts: (value: unknown) => boolean;
}

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isCount = (value: unknown): boolean => typeof value === 'number' && value >= 0;
const milliseconds: Rule = { meaning: 'a number of milliseconds', accepts: isCount };

const rules: Record<keyof DiscaOptions, Rule> = {
  baseUrl: {
    meaning: 'the URL of the service, such as https://voice.example.com',
    accepts: (value) => typeof value === 'string' && /^https?:\/\/[^/]/.test(value),
  },
  token: {
    meaning: 'an access token or a function that returns one',
    accepts: (value) => (typeof value === 'string' && value !== '') || isFunction(value),
  },
  timeoutMs: milliseconds,
  retries: { meaning: 'a number of retries', accepts: isCount },
  maxWaitMs: milliseconds,
  onRetry: { meaning: 'a function', accepts: isFunction },
  fetch: { meaning: 'a function', accepts: isFunction },
};

/** Throws for options that would fail later, in a request. Values from environment variables are often missing. */
export function checkOptions(options: DiscaOptions): void {
  for (const [name, { meaning, accepts }] of Object.entries(rules)) {
    const value: unknown = options?.[name as keyof DiscaOptions];
    if ((value === undefined && name !== 'baseUrl') || accepts(value)) continue;
    // Tokens are secret.
    const given = name === 'token' ? typeof value : JSON.stringify(value);
    throw new TypeError(`The option ${name} must be ${meaning}, not ${given}.`);
  }
}
