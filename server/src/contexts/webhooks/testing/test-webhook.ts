import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/errors.ts';
import type { EventType } from '../../../platform/event-types.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { findRecipient, presentEvent, webhookMessageId } from '../../events/index.ts';
import { markProven, openSecrets } from '../../integrations/index.ts';
import type { AttemptDeps } from '../delivery/attempt-delivery.ts';
import { type HostLimit, requireAdmission } from '../delivery/host-limit.ts';
import { signatureHeaders } from '../delivery/sign.ts';
import { redactedHeaders } from '../listing/read-delivery.ts';
import { ownedIntegration } from '../owned-integration.ts';
import { sampleOf } from './sample.rules.ts';
import { insertTest } from './test.store.ts';

export interface TestWebhookDeps extends AttemptDeps {
  db: Database;
  hostLimit: HostLimit;
}

/** Sends a sample immediately, signed like any other event, and returns the result. Tests are listed as deliveries. */
export async function testWebhook(
  deps: TestWebhookDeps,
  caller: Caller,
  integrationId: string,
  type: EventType,
) {
  const { accountId } = caller;
  const at = deps.clock.now();
  const { integration, recipient } = await inAccount(deps.db, accountId, async (tx) => ({
    integration: await ownedIntegration(tx, caller, integrationId),
    recipient: await findRecipient(tx, accountId),
  }));
  const { url, version } = integration.settings;
  if (url === null)
    throw new Refusal('WEBHOOK_DISABLED', 'The integration has no webhook to test. Set `webhookUrl` first.');
  const isProven = integration.provenAt !== null;
  await requireAdmission(deps.hostLimit, { host: new URL(url).hostname, isProven });
  const eventId = uuidv7(at);
  const messageId = webhookMessageId(eventId);
  const sample = sampleOf(type, { domain: recipient.domain, callId: eventId, at });
  const payload = presentEvent(deps, sample, { version, ...recipient }, caller.uuid);
  const body = JSON.stringify(payload);
  const signed = signatureHeaders(messageId, at, body, openSecrets(deps.keyRing, integration, at));
  const result = await deps.sender.send({
    url,
    headers: { 'content-type': 'application/json', ...signed },
    body,
  });
  await inAccount(deps.db, accountId, async (tx) => {
    await insertTest(tx, integration, { id: uuidv7(at), eventId, type, at, result });
    if (result.outcome === 'delivered' && !isProven) await markProven(tx, integration, at);
  });
  const { outcome, status, detail, address, responseBody, durationMs } = result;
  return {
    outcome,
    status,
    detail,
    address,
    responseBody,
    durationMs,
    request: { url, headers: redactedHeaders(messageId), body: payload },
  };
}
