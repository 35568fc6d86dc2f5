import { createHmac, randomBytes, randomInt } from 'node:crypto';
import type { Database } from '../../platform/db/database.ts';
import type { DigestKeys } from '../../platform/digest-keys.ts';
import type { Clock } from '../../platform/time.ts';

/** Settings that a browser needs besides credentials, and the lifetime of the credentials. */
export interface PhoneSessionSettings {
  lifetimeSeconds: number;
  websocketUrls: string[];
  /** TURN servers; absent if none are configured. */
  turn: { urls: string[]; secret: string } | undefined;
}

export interface PhoneSessionDeps {
  db: Database;
  clock: Clock;
  digestKeys: DigestKeys;
  phoneSessions: PhoneSessionSettings;
}

export interface IceServer {
  urls: string[];
  username: string;
  credential: string;
}

export interface PhoneSession {
  id: string;
  username: string;
  /** Returned only once; only its digest is stored. */
  password: string;
  domain: string;
  ramal: string;
  expiresAt: Date;
  websocketUrls: string[];
  iceServers: IceServer[];
}

/** Registration interval in seconds; a phone that disappears is detected within this time. */
export const registrationSeconds = 120;

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
const suffixLength = 16;
const passwordBytes = 24;

/** Returns a unique user name that the edge accepts for this extension only. */
export function newIdentity(ramal: string): string {
  const suffix = Array.from({ length: suffixLength }, () => alphabet[randomInt(alphabet.length)]);
  return `${ramal}.s${suffix.join('')}`;
}

export const newPassword = (): string => randomBytes(passwordBytes).toString('base64url');

/**
 * Returns TURN credentials that the relay verifies with a shared secret: the user name contains the expiry time. The
 * relay counts allocations by the part after the time, so all sessions of an extension share a quota. The extensions of
 * an account with a budget share that many quotas.
 */
export function relayCredentials(
  turn: PhoneSessionSettings['turn'],
  { accountId, extensionId, expiresAt }: { accountId: number; extensionId: number; expiresAt: Date },
  quotas: number | null,
): IceServer[] {
  if (!turn || quotas === 0) return [];
  const quota = quotas === null ? extensionId : extensionId % quotas;
  const username = `${Math.floor(expiresAt.getTime() / 1_000)}:${accountId}-${quota}`;
  const credential = createHmac('sha1', turn.secret).update(username).digest('base64');
  return [{ urls: turn.urls, username, credential }];
}

export const auditView = ({
  id,
  username,
  expiresAt,
}: Pick<PhoneSession, 'id' | 'username' | 'expiresAt'>) => ({
  session_id: id,
  username,
  expires_at: expiresAt.toISOString(),
});
