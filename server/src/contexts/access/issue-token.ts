import type { Caller, Origin } from '../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import { invalidToken } from '../../platform/errors.ts';
import { scopes as allScopes, type Scope } from '../../platform/scopes.ts';
import type { Clock } from '../../platform/time.ts';
import { type Actor, recordChange } from '../audit/index.ts';
import { requireRoom } from '../limits/index.ts';
import type { QueueMail } from '../notifications/index.ts';
import { lockUser } from './access.store.ts';
import { mailNewToken } from './mail-access.ts';
import { replaceLogins } from './replace-logins.ts';
import { prefixLength, type TokenKind } from './token.rules.ts';
import { countCreatedTokens, hasToken, insertToken, type Owner, type TokenOwner } from './token.store.ts';
import { hashToken, newToken } from './token.ts';

export interface IssuedToken {
  /** The token itself, shown only once. */
  id: string;
  ttl: number;
  created: Date;
}

export interface WantedToken {
  ttl: number;
  name?: string | undefined;
  /** Undefined for a token that may do everything that its user may. */
  scopes?: readonly Scope[] | undefined;
  /** Undefined for a token that may be used from every address. */
  allowedAddresses?: readonly string[] | undefined;
  /** The browser of a console session. */
  device?: string | undefined;
  /** Whether it is a console session that is opened with single sign-on. */
  isSso?: boolean | undefined;
}

export interface IssueTokenDeps {
  db: Database;
  clock: Clock;
  queueMail: QueueMail;
}

/** Creates a token for the caller. May revoke an older login to make room, but never the token of the request. */
export async function issueToken(
  deps: IssueTokenDeps,
  caller: Caller,
  wanted: WantedToken,
): Promise<IssuedToken> {
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    await lockUser(tx, caller.accountId, caller.userId);
    // A token that was revoked during the request must not create another one.
    if (!(await hasToken(tx, caller, caller.tokenHash))) throw invalidToken();
    const by = { actor: caller, origin: caller.origin, at: deps.clock.now(), inUse: caller.tokenHash };
    const token = await issueTokenIn(tx, caller, by, { ...wanted, kind: 'created' });
    await mailNewToken(tx, deps.queueMail, caller, { name: wanted.name, at: by.at });
    return token;
  });
}

interface Issuer {
  actor: Actor;
  origin: Origin;
  at: Date;
  /** Hash of the token that makes the request. */
  inUse?: Buffer;
}

/** Requires a lock on the user, so that concurrent requests count tokens one after the other. */
export async function issueTokenIn(
  tx: Tx,
  { accountId, userId }: Owner,
  { inUse, ...by }: Issuer,
  wanted: WantedToken & { kind: TokenKind },
): Promise<IssuedToken> {
  const owner = { accountId, userId };
  await replaceLogins(tx, owner, wanted.kind, { accountId, ...by }, inUse);
  if (wanted.kind === 'created') await requireTokenRoom(tx, accountId, by.at);
  return await addToken(tx, owner, by, wanted);
}

export const requireTokenRoom = (tx: Tx, accountId: number, at: Date): Promise<void> =>
  requireRoom(tx, accountId, 'tokens', () => countCreatedTokens(tx, accountId, at));

/** The first characters identify a token among those of its owner, so a token whose first characters are taken is replaced. */
const maxAttempts = 10;

/** Stores a new token and its audit entry. */
export async function addToken(
  tx: Tx,
  owner: TokenOwner,
  by: Omit<Issuer, 'inUse'>,
  { ttl, name, kind, scopes, allowedAddresses, device, isSso = false }: WantedToken & { kind: TokenKind },
): Promise<IssuedToken> {
  const granted = scopes && allScopes.filter((scope) => scopes.includes(scope));
  const opened = kind === 'console' ? { address: by.origin.address, userAgent: device ?? '' } : undefined;
  const stored = {
    ttlSeconds: ttl,
    name,
    kind,
    scopes: granted,
    allowedAddresses,
    opened,
    isSso,
    createdAt: by.at,
  };
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const id = newToken();
    const prefix = id.slice(0, prefixLength);
    if (!(await insertToken(tx, owner, { ...stored, hash: hashToken(id), prefix }))) continue;
    await recordChange(tx, {
      accountId: owner.accountId,
      ...by,
      action: owner.userId === null ? 'service-token.create' : 'token.create',
      target: { type: 'token', id: prefix },
      after: {
        ttl,
        ...(name === undefined ? {} : { name }),
        ...(granted === undefined ? {} : { scopes: granted }),
        ...(allowedAddresses === undefined ? {} : { allowedAddresses }),
        ...(isSso ? { singleSignOn: true } : {}),
      },
    });
    return { id, ttl, created: by.at };
  }
  throw new Error('No free token prefix was found.');
}
