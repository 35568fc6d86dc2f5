import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import type { Call, Disca } from '../../sdk/src/index.ts';
import { CliError } from '../cli-error.ts';
import { answer, progress, reais, sheet, withJson } from '../output.ts';
import { type Connection, connect, untilStopped, withConnection } from '../session.ts';

interface CallOptions extends Connection {
  from: string;
  caller?: string;
  metadata: Record<string, string>;
  key?: string;
  follow: boolean;
}

/** Parses `deal=D-1024`; the option may be repeated. */
export function collectPairs(text: string, pairs: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('Expected name=value, such as deal=D-1024.');
  return { ...pairs, [name]: value };
}

export function callCommand(): Command {
  return withJson(withConnection(new Command('call')))
    .description('call a number from an extension and follow the call; Ctrl-C hangs up')
    .argument('<to>', 'the number, with country code')
    .requiredOption('--from <extension>', 'extension whose softphone rings first')
    .option('--caller <number>', 'caller ID to show; the account must own it')
    .option('--metadata <name=value>', 'your own keys, included in every event', collectPairs, {})
    .option('--key <key>', 'idempotency key: makes the command safe to repeat for a day')
    .option('--no-follow', 'do not wait for the end of the call')
    .action(async (to: string, options: CallOptions) => {
      const disca = connect(options);
      const { from: extension, caller, metadata } = options;
      const stopped = untilStopped();
      const placed = await disca.calls.place(
        { called: to, extension, metadata, ...(caller === undefined ? {} : { caller }) },
        { idempotencyKey: options.key },
      );
      progress(options, `call ${placed.id} is placed; extension ${extension} rings`);
      if (!options.follow) return answer(options, placed, placed.id);
      const ended = await follow(disca, placed.id, options, stopped);
      answer(options, ended, describe(ended));
    });
}

/** Follows the call until it ends. Interrupting the command hangs up the call. */
async function follow(disca: Disca, id: string, options: CallOptions, stopped: AbortSignal): Promise<Call> {
  const hangUp = () => {
    progress(options, 'hanging up');
    void disca.calls.hangUp(id).catch(() => undefined);
  };
  if (stopped.aborted) hangUp();
  else stopped.addEventListener('abort', hangUp);
  let last: Call | undefined;
  for await (const call of disca.calls.follow(id)) {
    if (call.status !== 'queued') progress(options, words[call.status]);
    last = call;
  }
  return await priced(disca, last ?? (await disca.calls.get(id)));
}

const words: Record<Call['status'], string> = {
  queued: 'queued',
  ringing: 'the extension rings',
  dialing: 'dialling the destination',
  answered: 'talking',
  ended: 'ended',
};

/** Waits for the price, which is available shortly after the end. */
async function priced(disca: Disca, call: Call): Promise<Call> {
  const maxPolls = 10;
  let current = call;
  for (let look = 0; look < maxPolls && current.call_price === null; look += 1) {
    await sleep(500);
    current = await disca.calls.get(call.id);
  }
  return current;
}

const describe = (call: Call): string =>
  sheet({
    call: call.id,
    to: call.to,
    talk: `${call.duration} s`,
    cause: call.hangup_cause,
    'ended by': call.ended_by,
    price: reais(call.call_price),
    recording: call.record_url,
  });

const controls = {
  hold: ['put the other party of a call on hold', 'the other party hears music'],
  unhold: ['resume a call that is on hold', 'the parties hear each other'],
  mute: ['mute the extension of a call', 'the others do not hear the extension'],
  unmute: ['unmute the extension of a call', 'the others hear the extension'],
} as const;

/** The commands for a running call. */
export function controlCommands(): Command[] {
  return (['hold', 'unhold', 'mute', 'unmute'] as const).map((name) => {
    const [description, done] = controls[name];
    return withJson(withConnection(new Command(name)))
      .description(description)
      .argument('<call>', 'id of the call')
      .option('--by <party>', 'party that acts, from or to; only for supervisors', partyOf)
      .action(async (id: string, options: Connection & { by?: 'from' | 'to' }) => {
        const { by } = options;
        const path = `/calls/{id}/${name}` as const;
        const given = { path: { id }, ...(by && { body: { by } }) };
        // The commands have the same types.
        const controlled = await connect(options).request('post', path as '/calls/{id}/hold', given);
        answer(options, controlled, controlled.status === 'done' ? done : 'accepted');
      });
  });
}

interface AddOptions extends Connection {
  by?: 'from' | 'to';
  key?: string;
}

interface TransferOptions extends AddOptions {
  blind: boolean;
  complete: boolean;
  cancel: boolean;
}

const adding = (name: string): Command =>
  withJson(withConnection(new Command(name)))
    .argument('<call>', 'id of the call')
    .option('--by <party>', 'party that acts, from or to; only for supervisors', partyOf)
    .option('--key <key>', 'idempotency key: makes the command safe to repeat for a day');

export const transferCommand = (): Command =>
  adding('transfer')
    .description('transfer a running call to an extension or a number')
    .argument('[to]', 'the extension or the number, with country code')
    .option('--blind', 'leave the call when the destination rings, without talking to it first', false)
    .option('--complete', 'complete the transfer: leave the call', false)
    .option('--cancel', 'cancel the transfer: return to the other party', false)
    .action(async (id: string, to: string | undefined, options: TransferOptions) => {
      const { by, key, blind, complete, cancel } = options;
      if ([to !== undefined, complete, cancel].filter(Boolean).length !== 1)
        throw new CliError(
          'Give either a destination, --complete or --cancel.',
          'For example: disca transfer <call> 1001',
          'BAD_OPTION',
        );
      const acting = by ? { by } : {};
      const disca = connect(options);
      if (to === undefined) {
        const path = complete ? '/calls/{id}/transfer/complete' : '/calls/{id}/transfer/cancel';
        const ended = await disca.request('post', path, { path: { id }, body: acting });
        return answer(options, ended, complete ? 'transfer completed' : 'transfer cancelled');
      }
      const body = { ...acting, to, kind: blind ? ('blind' as const) : ('attended' as const) };
      const started = await disca.request(
        'post',
        '/calls/{id}/transfer',
        { path: { id }, body },
        { idempotencyKey: key },
      );
      answer(options, started, `calling ${to}; the other party hears music`);
    });

export const conferenceCommand = (): Command =>
  adding('conference')
    .description('add a party to a running call')
    .argument('<to>', 'the extension or the number, with country code')
    .action(async (id: string, to: string, options: AddOptions) => {
      const { by, key } = options;
      const added = await connect(options).request(
        'post',
        '/calls/{id}/conference',
        { path: { id }, body: { ...(by && { by }), to } },
        { idempotencyKey: key },
      );
      answer(options, added, `calling ${to}`);
    });

function partyOf(text: string): 'from' | 'to' {
  if (text !== 'from' && text !== 'to') throw new InvalidArgumentError('Expected from or to.');
  return text;
}

export function hangupCommand(): Command {
  return withJson(withConnection(new Command('hangup')))
    .description('end a call')
    .argument('<call>', 'id of the call')
    .action(async (id: string, options: Connection) => {
      const ended = await connect(options).calls.hangUp(id);
      answer(options, ended, ended.message);
    });
}
