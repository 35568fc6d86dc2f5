import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readStdin } from './ask.ts';
import { CliError } from './cli-error.ts';

export interface SecretOptions {
  secret?: string;
  secretStdin?: boolean;
}

/** Adds safer ways to pass a secret: arguments are visible in process lists and in the shell history. */
export const withSecret = (command: Command): Command =>
  command
    .addOption(
      new Option('--secret <secret>', 'sign with this secret; by default a new one is generated and printed')
        .env('DISCA_WEBHOOK_SECRET')
        .argParser(secretText),
    )
    .option('--secret-stdin', 'read the secret from stdin');

export async function givenSecret({ secret, secretStdin }: SecretOptions): Promise<string | undefined> {
  if (!secretStdin) return secret;
  const text = await readStdin();
  if (isSecret(text)) return text;
  throw new CliError(noSecret, 'Give the secret of the integration, or omit --secret-stdin.', 'BAD_OPTION');
}

export const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

const noSecret = 'A secret is whsec_ followed by base64.';
const isSecret = (text: string): boolean => /^whsec_[A-Za-z0-9+/]{8,}={0,2}$/.test(text);

function secretText(text: string): string {
  if (isSecret(text)) return text;
  throw new InvalidArgumentError(noSecret);
}

export function webUrl(text: string): string {
  const url = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (URL.canParse(url)) return url;
  throw new InvalidArgumentError('Expected a URL such as http://localhost:3000/webhooks.');
}
