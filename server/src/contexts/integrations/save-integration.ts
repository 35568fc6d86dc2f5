import type { Caller } from '../../platform/caller.ts';
import { inAccount, type Tx } from '../../platform/db/database.ts';
import { type Fault, invalid, invalidToken, notFound, Refusal } from '../../platform/errors.ts';
import { recordChangeBy } from '../audit/index.ts';
import { requireRoom } from '../limits/index.ts';
import {
  countIntegrations,
  countIntegrationsOfAccount,
  duplicateGateway,
  insertIntegration,
  isGatewayTaken,
  lockByGateway,
  lockIntegration,
  lockOwner,
  saveIntegration,
} from './integration.store.ts';
import { auditView, type Integration, type IntegrationDeps, type WebhookSettings } from './integration.ts';
import { newSecretSealed } from './secret.ts';
import { noSettings, readSettings } from './webhook.rules.ts';

/** Fields to change; undefined fields stay unchanged. */
export interface IntegrationChange {
  gateway?: string | undefined;
  webhook?: boolean | undefined;
  webhookConstraint?: Record<string, unknown> | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export const maxIntegrations = 100;

/** Updates the caller's integration, found by id or else by gateway, or creates it. */
export async function saveOwnIntegration(
  deps: IntegrationDeps,
  caller: Caller,
  id: number | undefined,
  change: IntegrationChange,
): Promise<Integration> {
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const { owner, before } = await lockBefore(tx, caller, id, change.gateway);
    // Validated before the integration is looked up, so that an invalid request is reported as such.
    const faults = await faultsAfter(tx, deps, caller, { isLive: owner.isLive, before, change });
    if (faults.length > 0) throw invalid(...faults);
    if (!before && id !== undefined) throw notFound();
    const after = changed(deps, owner.isLive, before ?? blank(deps, caller), change);
    const saved = await write(tx, caller, before, after);
    await recordChangeBy(tx, caller, {
      at: after.updatedAt,
      action: before ? 'integration.update' : 'integration.create',
      target: { type: 'integration', id: String(saved.id) },
      ...(before ? { before: auditView(before) } : {}),
      after: { ...auditView(saved), ...(before && isOther(before, saved) ? { metadata_changed: true } : {}) },
    });
    return saved;
  });
}

/** Returns the faults of a change that the schema cannot detect, in its valid fields. */
export async function faultsOfChange(
  deps: IntegrationDeps,
  caller: Caller,
  id: number | undefined,
  change: IntegrationChange,
): Promise<Fault[]> {
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const { owner, before } = await lockBefore(tx, caller, id, change.gateway);
    return await faultsAfter(tx, deps, caller, { isLive: owner.isLive, before, change });
  });
}

/** Locks the owner and the integration to change, found by id or else by gateway. The integration may not exist yet. */
async function lockBefore(tx: Tx, caller: Caller, id: number | undefined, gateway = '') {
  const owner = await lockOwner(tx, caller);
  if (!owner) throw invalidToken();
  const before =
    id === undefined ? await lockByGateway(tx, caller, gateway) : await lockIntegration(tx, caller, id);
  return { owner, before };
}

async function faultsAfter(
  tx: Tx,
  { mayCall }: IntegrationDeps,
  caller: Caller,
  { isLive, before, change }: { isLive: boolean; before: Integration | undefined; change: IntegrationChange },
): Promise<Fault[]> {
  const metadata = change.metadata ?? before?.metadata;
  const hasWebhook = change.webhook ?? before?.webhook ?? false;
  const read = hasWebhook && metadata && readSettings(metadata, { isLive, mayCall });
  const isTaken =
    before !== undefined &&
    change.gateway !== undefined &&
    (await isGatewayTaken(tx, caller, change.gateway, before.id));
  return [...(read && 'faults' in read ? read.faults : []), ...(isTaken ? [duplicateGateway] : [])];
}

async function write(
  tx: Tx,
  caller: Caller,
  before: Integration | undefined,
  after: Omit<Integration, 'id'>,
): Promise<Integration> {
  if (before) {
    const saved = { ...after, id: before.id };
    await saveIntegration(tx, saved);
    return saved;
  }
  if ((await countIntegrations(tx, caller)) >= maxIntegrations) {
    throw new Refusal(
      'INTEGRATION_LIMIT',
      `A user has at most ${maxIntegrations} integrations. Remove one before adding another.`,
    );
  }
  const { accountId } = caller;
  await requireRoom(tx, accountId, 'integrations', () => countIntegrationsOfAccount(tx, accountId));
  return await insertIntegration(tx, after);
}

function changed(
  deps: IntegrationDeps,
  isLive: boolean,
  before: Omit<Integration, 'id'>,
  change: IntegrationChange,
): Omit<Integration, 'id'> {
  const webhook = change.webhook ?? before.webhook;
  const metadata = change.metadata ?? before.metadata;
  const settings = settingsOf(deps, isLive, webhook, metadata);
  const isEnabledAgain = change.webhook === true;
  // A new endpoint inherits neither the failures nor the successes of the old one.
  const isOtherUrl = settings.url !== before.settings.url;
  return {
    ...before,
    gateway: change.gateway ?? before.gateway,
    webhook,
    webhookConstraint: change.webhookConstraint ?? before.webhookConstraint,
    metadata: webhook ? { ...metadata, webhookVersion: settings.version } : metadata,
    settings,
    disabledAt: isEnabledAgain ? null : before.disabledAt,
    disabledReason: isEnabledAgain ? null : before.disabledReason,
    failingSince: isEnabledAgain || isOtherUrl ? null : before.failingSince,
    provenAt: isOtherUrl ? null : before.provenAt,
    updatedAt: deps.clock.now(),
  };
}

function settingsOf(
  { mayCall }: IntegrationDeps,
  isLive: boolean,
  webhook: boolean,
  metadata: Record<string, unknown>,
): WebhookSettings {
  if (!webhook) return noSettings;
  const read = readSettings(metadata, { isLive, mayCall });
  if ('faults' in read) throw invalid(...read.faults);
  return read.settings;
}

function blank({ clock, keyRing }: IntegrationDeps, caller: Caller): Omit<Integration, 'id'> {
  const at = clock.now();
  return {
    accountId: caller.accountId,
    userId: caller.userId,
    gateway: '',
    webhook: false,
    webhookConstraint: {},
    metadata: {},
    settings: noSettings,
    secretSealed: newSecretSealed(keyRing),
    previousSecretSealed: null,
    previousSecretUntil: null,
    disabledAt: null,
    disabledReason: null,
    failingSince: null,
    provenAt: null,
    createdAt: at,
    updatedAt: at,
  };
}

const isOther = (before: Integration, after: Integration): boolean =>
  JSON.stringify(before.metadata) !== JSON.stringify(after.metadata);
