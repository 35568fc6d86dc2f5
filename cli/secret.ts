import { randomBytes } from 'node:crypto';
import { InvalidArgumentError } from 'commander';

export const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

export function secretText(text: string): string {
  if (/^whsec_[A-Za-z0-9+/]{8,}={0,2}$/.test(text)) return text;
  throw new InvalidArgumentError('A secret is whsec_ and base64.');
}

export function webUrl(text: string): string {
  const url = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (URL.canParse(url)) return url;
  throw new InvalidArgumentError('It is an address such as http://localhost:3000/webhooks.');
}
