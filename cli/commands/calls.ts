import { Command, InvalidArgumentError, Option } from 'commander';
import type { CallQuery, CallRecord, StreamedEvent } from '../../sdk/src/index.ts';
import { answer, printItem, progress, reais, table, utcTime, withJson } from '../output.ts';
import { type Connection, connect, untilStopped, withConnection } from '../session.ts';
import { collectPairs } from './call.ts';

interface CallsOptions extends Connection {
  search?: string;
  to?: string;
  from?: string;
  status?: CallRecord['status'];
  since?: Date;
  until?: Date;
  metadata: Record<string, string>;
  limit: number;
  watch?: boolean;
}

/** Parses a time, or an age such as 30m, 12h, 7d. */
export function moment(text: string): Date {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 }[unit ?? ''];
  const at = unitMs === undefined ? new Date(text) : new Date(Date.now() - Number(count) * unitMs);
  if (Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('Expected ISO 8601, or an age such as 30m, 12h or 7d.');
  return at;
}

export function atMost(max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= 1 && value <= max) return value;
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${max}.`);
  };
}

const statuses = ['queued', 'ringing', 'dialing', 'answered', 'ended'];

export function callsCommand(): Command {
  return withJson(withConnection(new Command('calls')))
    .description('list calls, newest first, or watch them live')
    .addOption(
      new Option('--search <words>', 'calls with these words in names, numbers or metadata').conflicts(
        'watch',
      ),
    )
    .option('--to <number>', 'calls to this number; % matches anything')
    .option('--from <extension>', 'calls from this extension')
    .addOption(new Option('--status <status>', 'calls in this state').choices(statuses))
    .option('--since <when>', 'calls started after this: ISO 8601, or 30m, 12h, 7d ago', moment)
    .option('--until <when>', 'calls started before this', moment)
    .option('--metadata <name=value>', 'calls with this metadata', collectPairs, {})
    .option('--limit <number>', 'number of calls to list', atMost(1_000), 20)
    .option('--watch', 'print every call event from now on, until Ctrl-C')
    .action(async (options: CallsOptions) => {
      if (options.watch) return await watch(options);
      const query = { where: whereOf(options), pageSize: Math.min(100, options.limit) };
      const { calls: api } = connect(options);
      const list =
        options.search === undefined ? api.list(query) : api.search({ ...query, q: options.search });
      const calls = await list.take(options.limit);
      answer(options, calls, table(calls.map(row), 'No matching calls.'));
    });
}

function whereOf(options: CallsOptions): NonNullable<CallQuery['where']> {
  const { to, from, status, since, until, metadata } = options;
  return {
    ...(to === undefined ? {} : { to: to.includes('%') ? { like: to } : to }),
    ...(from === undefined ? {} : { from }),
    ...(status === undefined ? {} : { status }),
    ...(since || until
      ? { started_at: { ...(since ? { gte: since } : {}), ...(until ? { lt: until } : {}) } }
      : {}),
    ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, value])),
  };
}

const row = (call: CallRecord) => ({
  began: utcTime(call.started_at),
  from: call.from,
  to: call.to,
  status: call.status,
  talk: `${call.duration} s`,
  cause: call.hangup_cause,
  price: reais(call.call_price),
  id: call.id,
});

/** Returns whether the event's call matches the options. */
function fits(event: StreamedEvent, { to, from, metadata }: CallsOptions): boolean {
  const { data } = event;
  if (!('caller' in data)) return false;
  const pattern = to && new RegExp(`^${to.replaceAll(/[^\d%]/g, '').replaceAll('%', '.*')}$`);
  return (
    (from === undefined || data.caller === from) &&
    (!pattern || pattern.test(data.called)) &&
    Object.entries(metadata).every(([name, value]) => String(data.metadata[name]) === value)
  );
}

async function watch(options: CallsOptions): Promise<void> {
  const stream = connect(options).events.stream({
    signal: untilStopped(),
    onOpen: () => progress(options, 'watching; press Ctrl-C to stop'),
    onReconnect: () => progress(options, 'connection lost; reconnecting'),
  });
  for await (const event of stream) if (fits(event, options)) printItem(options, event, line(event));
}

function line({ type, occurredAt, data }: StreamedEvent): string {
  if (!('caller' in data)) return type;
  const more = [
    'hangupCause' in data && type === 'channel-hangup' ? `${data.hangupCause}, ${data.duration} s` : '',
    'callPrice' in data ? reais(data.callPrice) : '',
    type === 'recording-ready' && 'recordUrl' in data ? String(data.recordUrl) : '',
  ].join('');
  return `${utcTime(occurredAt)}  ${type.padEnd(16)}  ${data.caller} → ${data.called}  ${data.id}  ${more}`.trimEnd();
}
