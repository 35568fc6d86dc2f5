import type { Fault } from '../../platform/errors.ts';
import { eventTypes } from '../../platform/event-types.ts';
import { literalAddress, type MayCall } from '../../platform/network.ts';
import type { WebhookSettings } from './integration.ts';

const versions = ['1.8', 'v1.4'];
const maxUrlLength = 2_000;

export const noSettings: WebhookSettings = { url: null, version: '1.8', types: [] };

type Metadata = Record<string, unknown>;

/** Returns the delivery settings from the metadata of an integration with a webhook, or all errors in them. */
export function readSettings(
  metadata: Metadata,
  { isLive, mayCall }: { isLive: boolean; mayCall: MayCall },
): { settings: WebhookSettings } | { faults: Fault[] } {
  const { webhookUrl: url, webhookVersion: version = '1.8', webhookTypes: types } = metadata;
  const faults = [
    faultAt('webhookUrl', url, faultOfUrl(url, isLive, mayCall)),
    faultAt('webhookVersion', version, faultOfVersion(version)),
    faultAt('webhookTypes', types, faultOfTypes(types)),
  ].filter((fault) => fault !== undefined);
  if (faults.length > 0) return { faults };
  return {
    settings: { url: url as string, version: version as string, types: [...new Set(types as string[])] },
  };
}

const faultAt = (name: string, value: unknown, rule: string | undefined): Fault | undefined =>
  rule === undefined
    ? undefined
    : {
        path: `metadata.${name}`,
        code: value === undefined ? 'required' : 'invalid',
        message: `\`metadata.${name}\` ${rule}.`,
      };

function faultOfUrl(value: unknown, isLive: boolean, mayCall: MayCall): string | undefined {
  if (value === undefined) return 'is required while `webhook` is true';
  if (typeof value !== 'string' || !URL.canParse(value)) return 'must be a URL';
  if (value.length > maxUrlLength) return `must have at most ${maxUrlLength} characters`;
  const url = new URL(value);
  const rule = faultOfWebhookUrl(url);
  if (rule !== undefined) return rule;
  if (isLive && url.protocol !== 'https:') return 'must begin with https:// in a live account';
  // A literal address can be refused here; host names are resolved and checked on every connection.
  const literal = literalAddress(url);
  if (literal !== undefined && !mayCall(literal)) return 'must be a public address';
  return undefined;
}

/** Excludes ports of other services below 1024, so that webhooks cannot be used to reach them. */
export function faultOfWebhookUrl({ protocol, username, password, port }: URL): string | undefined {
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https:// or http://';
  if (username !== '' || password !== '') return 'must not contain a user or password';
  if (port !== '' && !['80', '443'].includes(port) && Number(port) < 1024)
    return 'must have port 80, 443, or 1024 and up';
  return undefined;
}

const faultOfVersion = (value: unknown): string | undefined =>
  versions.includes(value as string) ? undefined : `must be ${versions.map(quoted).join(' or ')}`;

function faultOfTypes(value: unknown): string | undefined {
  const allowed = eventTypes.map(quoted).join(', ');
  if (value === undefined) return `is required while \`webhook\` is true: a list of ${allowed}`;
  if (!Array.isArray(value) || value.length === 0) return `must be a list of ${allowed}`;
  const unknown = value.filter((type) => !(eventTypes as readonly unknown[]).includes(type));
  if (unknown.length === 0) return undefined;
  return `must not contain ${shown(unknown[0])}, only ${allowed}`;
}

const quoted = (text: string): string => `\`${text}\``;
const shown = (value: unknown): string =>
  typeof value === 'string' && /^[\w.-]{1,60}$/.test(value) ? quoted(value) : 'other values';

/** Returns the metadata that a call must contain. The constraint may be flat or nested under `metadata`. */
export function flatConstraint(constraint: Metadata): Metadata {
  const { metadata, ...flat } = constraint;
  return isObject(metadata) ? { ...flat, ...metadata } : constraint;
}

const isObject = (value: unknown): value is Metadata =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
