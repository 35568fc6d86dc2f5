type Metadata = Record<string, unknown>;

export interface Explained {
  webhook: boolean;
  disabledAt: Date | null;
  disabledReason: string | null;
  types: string[];
  constraint: Metadata;
}

export interface ExplainedCall {
  /** Whether the owner of the integration may receive the call: ADMINs receive all calls, USERs their own. */
  isVisible: boolean;
  /** Fields of the constraint that the metadata does not contain. */
  unmet: string[];
  metadata: Metadata;
  /** Event types of the call. */
  types: string[];
}

export const reasonCodes = [
  'webhook_off',
  'webhook_disabled',
  'not_your_call',
  'constraint',
  'type_not_listed',
] as const;

export interface Reason {
  code: (typeof reasonCodes)[number];
  /** The field that does not match, if there is exactly one. */
  path: string | null;
  message: string;
}

/** Returns why no event of a call is sent; empty if one is. `isVisible` and `unmet` come from the database. */
export function whyNotSent(integration: Explained, call: ExplainedCall): Reason[] {
  return [
    ...stateReasons(integration),
    ...(call.isVisible ? [] : [reason('not_your_call', null, "Only ADMINs receive other users' calls.")]),
    ...constraintReasons(integration.constraint, call),
    ...typeReasons(integration.types, call.types),
  ];
}

const reason = (code: Reason['code'], path: string | null, message: string): Reason => ({
  code,
  path,
  message,
});

function stateReasons({ webhook, disabledAt, disabledReason }: Explained): Reason[] {
  if (!webhook) return [reason('webhook_off', 'webhook', '`webhook` is false.')];
  if (disabledAt === null) return [];
  const since = `The webhook has been disabled since ${disabledAt.toISOString()}`;
  return [reason('webhook_disabled', null, disabledReason ? `${since}: ${disabledReason}` : `${since}.`)];
}

const constraintReasons = (constraint: Metadata, { metadata, unmet }: ExplainedCall): Reason[] =>
  Object.entries(constraint)
    .filter(([name]) => unmet.includes(name))
    .map(([name, wanted]) => {
      const path = `metadata.${name}`;
      const has = Object.hasOwn(metadata, name) ? `is ${shown(metadata[name])}` : 'is missing';
      return reason('constraint', path, `\`${path}\` ${has}, the constraint requires ${shown(wanted)}`);
    });

function typeReasons(listed: string[], sent: string[]): Reason[] {
  if (sent.some((type) => listed.includes(type))) return [];
  const list = (types: string[]) => types.map((type) => `\`${type}\``).join(', ') || 'nothing';
  const message = `\`webhookTypes\` lists ${list(listed)}, and the call has ${list(sent)}.`;
  return [reason('type_not_listed', 'metadata.webhookTypes', message)];
}

const longestShown = 100;

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `\`${text.length > longestShown ? `${text.slice(0, longestShown)}…` : text}\``;
}
