import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/db/database.ts';
import { notFound, Refusal } from '../../platform/errors.ts';
import { findIntegration, type Integration } from '../integrations/index.ts';

/** Returns the caller's own integration. Integrations of other users are not found. */
export async function ownedIntegration(tx: Tx, caller: Caller, id: string): Promise<Integration> {
  const integration = /^\d{1,15}$/.test(id) ? await findIntegration(tx, caller, Number(id)) : undefined;
  if (!integration) throw notFound();
  return integration;
}

/**
 * Refuses replays to an endpoint that has never accepted a delivery, because they could be directed at a server that
 * did not ask for webhooks.
 */
export function requireProven({ provenAt }: Integration): void {
  if (provenAt !== null) return;
  throw new Refusal(
    'WEBHOOK_UNPROVEN',
    'The endpoint has not accepted a webhook yet. Send a test first; when it returns a 2xx status, events can be replayed.',
  );
}

/** Refuses disabled webhooks, because a delivery would fail immediately. */
export function requireEnabled({ webhook, disabledAt }: Integration): void {
  if (webhook && disabledAt === null) return;
  throw new Refusal(
    'WEBHOOK_DISABLED',
    'The webhook is disabled. Enable it first by setting `webhook` to true.',
  );
}
