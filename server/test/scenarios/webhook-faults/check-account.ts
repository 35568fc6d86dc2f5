import type { WebhookDeployment } from '../../harness/deployments/webhook-faults.ts';
import { isSigned } from '../../harness/webhooks/receiver.ts';
import { sendRequest } from '../faults/send-request.ts';
import { freshAddress } from '../faults/tenants.ts';
import { type Caller, callTypes } from './calls.ts';
import type { Received } from './killable-receiver.ts';

interface LoggedEvent {
  id: string;
  type: string;
  number: number | null;
}

/** Returns all faults in the webhooks of one account. */
export async function checkAccount(
  deployment: WebhookDeployment,
  caller: Caller,
  since: Date,
): Promise<string[]> {
  const events = (await deployment.query(
    'select id, type, account_sequence as number from recorded_events where account_id = $1 order by account_sequence',
    [caller.accountId],
  )) as LoggedEvent[];
  const received = deployment.receiver.received().filter(({ path }) => path === `/${caller.accountId}`);
  return [
    ...gapsIn(events),
    ...missing(events, received),
    ...received.flatMap((webhook) => forged(webhook, caller.secret)),
    ...unstable(received),
    ...unordered(received),
    ...(await unreconciled(deployment, caller, since)),
  ];
}

const gapsIn = (events: LoggedEvent[]): string[] =>
  events.flatMap(({ id, number }, index) =>
    Number(number) === index + 1 ? [] : [`event ${id} has the number ${number} at position ${index + 1}`],
  );

function missing(events: LoggedEvent[], received: Received[]): string[] {
  const due = new Set(events.filter(({ type }) => callTypes.includes(type)).map(({ id }) => `msg_${id}`));
  const delivered = new Set(received.map(webhookId));
  return [
    ...[...due].filter((id) => !delivered.has(id)).map((id) => `${id} was never delivered`),
    ...[...delivered].filter((id) => !due.has(id)).map((id) => `${id} is not an event of this account`),
  ];
}

const webhookId = ({ headers }: Received): string => headers['webhook-id'] ?? '';

const forged = (webhook: Received, secret: string): string[] =>
  isSigned(webhook, secret) ? [] : [`${webhookId(webhook)} does not verify`];

/** Returns faults: a repeated delivery must have the same content, except for a regenerated link. */
function unstable(received: Received[]): string[] {
  const texts = new Map<string, string>();
  return received.flatMap((webhook) => {
    const text = webhook.text.replace(/signature=[^"]*/, '');
    const before = texts.get(webhookId(webhook)) ?? text;
    texts.set(webhookId(webhook), before);
    return before === text ? [] : [`${webhookId(webhook)} had other content the second time`];
  });
}

/** Returns faults: the steps of each call must be 1, 2, 3 and so on; a call that was never dialled has three. */
function unordered(received: Received[]): string[] {
  const steps = new Map<string, Set<number>>();
  for (const { text } of received) {
    const { id, sequence } = JSON.parse(text) as { id: string; sequence: number };
    steps.set(id, (steps.get(id) ?? new Set()).add(sequence));
  }
  return [...steps].flatMap(([id, seen]) => {
    const isWhole = Math.max(...seen) === seen.size && seen.size >= 3;
    return isWhole ? [] : [`the steps of ${id} were ${[...seen].join(', ')}`];
  });
}

async function unreconciled(
  deployment: WebhookDeployment,
  { token }: Caller,
  since: Date,
): Promise<string[]> {
  // Scripted calls of 42 s end that long after they were created.
  const until = new Date(Date.now() + 60_000);
  const path = `/events/reconcile?since=${since.toISOString()}&until=${until.toISOString()}`;
  const answer = await sendRequest(deployment.apiUrl, {
    method: 'GET',
    path,
    token,
    address: freshAddress(),
  });
  const { isClean, differences } = (answer.body ?? {}) as { isClean?: boolean; differences?: unknown[] };
  return isClean ? [] : [`reconcile: ${answer.status} ${JSON.stringify(differences?.slice(0, 3))}`];
}
