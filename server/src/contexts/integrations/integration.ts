import type { Database } from '../../platform/db/database.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import type { MayCall } from '../../platform/network.ts';
import type { Clock } from '../../platform/time.ts';

export interface IntegrationDeps {
  db: Database;
  clock: Clock;
  keyRing: KeyRing;
  /** Which addresses webhooks may be sent to. */
  mayCall: MayCall;
}

export interface Integration {
  id: number;
  accountId: number;
  /** Whose it is: nobody else sees it. */
  userId: number;
  gateway: string;
  webhook: boolean;
  webhookConstraint: Record<string, unknown>;
  metadata: Record<string, unknown>;
  /** What delivery reads of the metadata. */
  settings: WebhookSettings;
  secretSealed: string;
  previousSecretSealed: string | null;
  previousSecretUntil: Date | null;
  disabledAt: Date | null;
  disabledReason: string | null;
  /** Since when nothing but failures came back. */
  failingSince: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface WebhookSettings {
  /** Null while there is no webhook. */
  url: string | null;
  version: string;
  types: string[];
}

/**
 * What the audit log keeps of an integration. Paths and queries of webhook URLs are passwords as often as not, and so is
 * what else stands in metadata: the log is read by every ADMIN, and tells of them only that they changed.
 */
export const auditView = ({ gateway, webhook, webhookConstraint, settings, disabledAt }: Integration) => ({
  gateway,
  webhook,
  webhookConstraint,
  webhookOrigin: settings.url && new URL(settings.url).origin,
  webhookVersion: settings.version,
  webhookTypes: settings.types,
  webhookDisabled: disabledAt !== null,
});
