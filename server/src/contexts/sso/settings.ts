import { randomBytes } from 'node:crypto';
import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import { type Fault, invalid, notFound, Refusal } from '../../platform/errors.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import type { MayCall } from '../../platform/network.ts';
import type { Clock } from '../../platform/time.ts';
import { endSessions } from '../access/index.ts';
import { recordChangeBy } from '../audit/index.ts';
import { findUserByUuid, findUsers, lockAdminsFor } from '../users/index.ts';
import { secretPurpose } from './reseal-secrets.ts';
import { faultOfIssuer, recordOf } from './sso.rules.ts';
import {
  type Domain,
  deleteIdentities,
  deleteSettings,
  findDomains,
  findSettings,
  replaceDomains,
  type Settings,
  saveSettings,
} from './sso.store.ts';

export interface SettingsDeps {
  db: Database;
  clock: Clock;
  keyRing: KeyRing;
  mayCall: MayCall;
  consoleUrl: string;
}

export interface WantedSettings {
  issuer: string;
  clientId: string;
  /** Undefined to keep it. */
  clientSecret?: string | undefined;
  domains: string[];
  isRequired: boolean;
  /** The uuid of the ADMIN who can always log in with a password. */
  exemptAdmin: string | null;
}

/** The address to which providers send users back. */
export const redirectUrlOf = (consoleUrl: string): string => `${consoleUrl}/sso/callback`;

export async function readSettings(deps: SettingsDeps, { accountId }: Caller) {
  return await inAccount(deps.db, accountId, async (tx) => {
    const settings = await findSettings(tx, accountId);
    const exempt = settings?.exemptUserId ? await findUsers(tx, accountId, [settings.exemptUserId]) : [];
    return {
      isConfigured: settings !== undefined,
      issuer: settings?.issuer ?? null,
      clientId: settings?.clientId ?? null,
      isRequired: settings?.isRequired ?? false,
      exemptAdmin: exempt[0]?.uuid ?? null,
      redirectUrl: redirectUrlOf(deps.consoleUrl),
      domains: (await findDomains(tx, accountId)).map(presentDomain),
    };
  });
}

export const presentDomain = ({ domain, token, provedAt }: Domain) => ({
  domain,
  ...recordOf({ domain, token }),
  provedAt: provedAt?.toISOString() ?? null,
});

/** Sets single sign-on of the account. Another provider, or another client there, ends what the former one vouched for. */
export async function changeSettings(deps: SettingsDeps, caller: Caller, wanted: WantedSettings) {
  const fault = faultOfIssuer(wanted.issuer, deps.mayCall);
  if (fault) throw invalid(fault);
  const { accountId } = caller;
  const at = deps.clock.now();
  await inAccount(deps.db, accountId, async (tx) => {
    const admins = await lockAdminsFor(tx, caller);
    const before = await findSettings(tx, accountId);
    const isSameClient = before?.issuer === wanted.issuer && before.clientId === wanted.clientId;
    const exemptUserId = await findExempt(tx, accountId, admins, wanted.exemptAdmin);
    const after: Settings = {
      issuer: wanted.issuer,
      clientId: wanted.clientId,
      secretSealed: sealedSecret(deps, wanted, isSameClient ? before : undefined),
      isRequired: wanted.isRequired,
      exemptUserId,
    };
    const former = await findDomains(tx, accountId);
    // The record in DNS trusts the provider for which it was made; another one needs a new record.
    if (before && before.issuer !== wanted.issuer) await replaceDomains(tx, accountId, []);
    await replaceDomains(tx, accountId, wanted.domains.map(withToken));
    if (wanted.isRequired) requireWayIn(await findDomains(tx, accountId), exemptUserId);
    if (before && !isSameClient) {
      await deleteIdentities(tx, accountId);
      await endSessions(tx, accountId, { isSso: true });
    }
    await saveSettings(tx, accountId, after, at);
    if (after.isRequired && exemptUserId !== null) {
      const exceptToken = caller.tokenHash;
      await endSessions(tx, accountId, { isSso: false, exceptUser: exemptUserId, exceptToken });
    }
    await recordChangeBy(tx, caller, {
      at,
      action: 'sso.configure',
      target: { type: 'account', id: String(accountId) },
      ...(before
        ? {
            before: auditView(
              before,
              former.map(({ domain }) => domain),
            ),
          }
        : {}),
      after: {
        ...auditView(after, wanted.domains),
        ...(wanted.clientSecret ? { clientSecret: 'replaced' } : {}),
      },
    });
  });
  return await readSettings(deps, caller);
}

/** Removes single sign-on of the account and ends its sessions. */
export async function removeSettings({ db, clock }: SettingsDeps, caller: Caller): Promise<void> {
  const { accountId } = caller;
  await inAccount(db, accountId, async (tx) => {
    await lockAdminsFor(tx, caller);
    const before = await findSettings(tx, accountId);
    const domains = await findDomains(tx, accountId);
    if (!before || !(await deleteSettings(tx, accountId))) throw notFound();
    await endSessions(tx, accountId, { isSso: true });
    await recordChangeBy(tx, caller, {
      at: clock.now(),
      action: 'sso.remove',
      target: { type: 'account', id: String(accountId) },
      before: auditView(
        before,
        domains.map(({ domain }) => domain),
      ),
    });
  });
}

const auditView = ({ issuer, clientId, isRequired, exemptUserId }: Settings, domains: string[]) => ({
  issuer,
  clientId,
  domains: [...domains].sort(),
  isRequired,
  exemptUserId,
});

const withToken = (domain: string) => ({ domain, token: randomBytes(20).toString('hex') });

function sealedSecret(
  { keyRing }: SettingsDeps,
  { clientSecret }: WantedSettings,
  kept: Settings | undefined,
): string {
  if (clientSecret !== undefined) return keyRing.seal(secretPurpose, clientSecret);
  if (kept) return kept.secretSealed;
  throw invalid({
    path: 'clientSecret',
    code: 'required',
    message: '`clientSecret` is required for a new provider or client.',
  });
}

async function findExempt(
  tx: Tx,
  accountId: number,
  admins: number[],
  uuid: string | null,
): Promise<number | null> {
  if (uuid === null) return null;
  const user = await findUserByUuid(tx, accountId, uuid);
  if (user && admins.includes(user.id)) return user.id;
  throw invalid(exemptFault('must be the uuid of an ADMIN of the account'));
}

function requireWayIn(domains: Domain[], exemptUserId: number | null): void {
  if (exemptUserId === null) throw invalid(exemptFault('is required while `isRequired` is true'));
  if (domains.some(({ provedAt }) => provedAt !== null)) return;
  throw new Refusal('SSO_DOMAIN_UNPROVED', 'Prove a domain before you require single sign-on.');
}

const exemptFault = (rule: string): Fault => ({
  path: 'exemptAdmin',
  code: 'invalid',
  message: `\`exemptAdmin\` ${rule}.`,
});
