import { createHmac, randomBytes, randomInt } from 'node:crypto';
import type { Database } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time.ts';

/** What a browser needs besides credentials, and how long those last. */
export interface PhoneSessionSettings {
  lifetimeSeconds: number;
  websocketUrls: string[];
  /** Relays for media; absent where none are run. */
  turn: { urls: string[]; secret: string } | undefined;
}

export interface PhoneSessionDeps {
  db: Database;
  clock: Clock;
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
  /** Told once; only its digest is kept. */
  password: string;
  domain: string;
  ramal: string;
  expiresAt: Date;
  websocketUrls: string[];
  iceServers: IceServer[];
}

/** How long a registration should last: a phone that vanishes is noticed within this time. */
export const registrationSeconds = 120;

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
const suffixLength = 16;
const passwordBytes = 24;

/** An identity of its own, which the edge takes for this extension only. */
export function newIdentity(ramal: string): string {
  const suffix = Array.from({ length: suffixLength }, () => alphabet[randomInt(alphabet.length)]);
  return `${ramal}.s${suffix.join('')}`;
}

export const newPassword = (): string => randomBytes(passwordBytes).toString('base64url');

/**
 * A relay checks these by itself: the name says until when they are good, and only we know the secret behind both. It
 * counts allocations by what follows the time, so all sessions of an extension share them.
 */
export function relayCredentials(
  turn: PhoneSessionSettings['turn'],
  { accountId, extensionId, expiresAt }: { accountId: number; extensionId: number; expiresAt: Date },
): IceServer[] {
  if (!turn) return [];
  const username = `${Math.floor(expiresAt.getTime() / 1_000)}:${accountId}-${extensionId}`;
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
