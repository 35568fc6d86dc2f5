import type { Database } from '../../platform/db/database.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import type { MayCall } from '../../platform/network.ts';
import type { Clock } from '../../platform/time.ts';

export interface IntegrationDeps {
  db: Database;
  clock: Clock;
  keyRing: KeyRing;
  /** Decides which addresses webhooks may be sent to. */
  mayCall: MayCall;
}

export interface Integration {
  id: number;
  accountId: number;
  /** The owner; the integration is not visible to other users. */
  userId: number;
  gateway: string;
  webhook: boolean;
  webhookConstraint: Record<string, unknown>;
  metadata: Record<string, unknown>;
  /** Delivery settings from the metadata. */
  settings: WebhookSettings;
  secretSealed: string;
  previousSecretSealed: string | null;
  previousSecretUntil: Date | null;
  disabledAt: Date | null;
  disabledReason: string | null;
  /** Start of the current series of failures. */
  failingSince: Date | null;
  /** When the current URL first accepted a delivery; null if it has not. */
  provenAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface WebhookSettings {
  /** Webhook URL; null without a webhook. */
  url: string | null;
  version: string;
  types: string[];
}

/**
 * The fields of an integration in the audit log. Webhook URLs and other metadata often contain credentials, and every
 * ADMIN reads the log, so only the fact that they changed is recorded.
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
