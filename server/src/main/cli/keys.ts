import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { allowPlainUntil, countOnlySealed } from '../../contexts/extensions/index.ts';
import { inTransaction } from '../../platform/db/database.ts';
import { secondsAfter } from '../../platform/time.ts';
import { countOutdated, type KeyStatus, readKeyStatus } from '../key-status.ts';
import { resealQueue } from '../reseal.ts';
import { answer, asOperator, type Operator, withJson } from './operator.ts';

type Json = { json?: boolean };

const pollMs = 2_000;
const maxWaitMs = 600_000;
/** Links in mails are valid for two days, and a mail may wait a day for its server. */
const linkDays = 3;
const goBackSeconds = 24 * 3600;

/** The keys of stored secrets, and of HA1s. */
export function keyCommands(): Command {
  const keys = new Command('keys').description('keys with which stored secrets are encrypted');

  withJson(keys.command('status').description('show which keys are in use and what is not encrypted')).action(
    async (options: Json) => {
      await asOperator(async (operator) => {
        const status = await statusOf(operator);
        answer(options, status, report(status));
        if (status.missingKeys.length > 0) process.exitCode = 1;
      });
    },
  );

  withJson(
    keys
      .command('rotate')
      .description('make the worker seal all stored secrets with the current key; safe to repeat')
      .option('--wait', 'wait until it has finished, for at most 10 minutes'),
  ).action(async (options: Json & { wait?: boolean }) => {
    await asOperator(async (operator) => {
      const { db, jobs, keyRing } = operator;
      const key = keyRing.ids[0];
      await inTransaction(db, (tx) => jobs.enqueue(tx, resealQueue.name, { key }, { key: 'reseal' }));
      const status = options.wait ? await waitForReseal(operator) : await statusOf(operator);
      answer(options, status, report(status));
      if (options.wait && countOutdated(status) > 0) process.exitCode = 1;
    });
  });

  keys
    .command('new')
    .description('print a new key, to put in front of the others in KEY_RING or DIGEST_KEYS')
    .argument('<id>', 'an id that no key has had, such as k2')
    .option('--digest', 'for DIGEST_KEYS')
    .action((id: string, options: { digest?: boolean }) => {
      if (!/^[a-z0-9]{1,16}$/.test(id)) throw new Error('An id has 1 to 16 lower-case letters and digits.');
      process.stdout.write(`${id}:${randomBytes(32).toString(options.digest ? 'hex' : 'base64')}\n`);
    });

  withJson(
    keys
      .command('unseal')
      .description(
        'store HA1s also unencrypted for a day, before you go back to edges of the previous release',
      )
      .option('--wait', 'wait until the worker has stored them, for at most 10 minutes'),
  ).action(async (options: Json & { wait?: boolean }) => {
    await asOperator(async (operator) => {
      const until = secondsAfter(operator.clock.now(), goBackSeconds);
      await inTransaction(operator.db, (tx) => allowPlainUntil(tx, until));
      const onlyEncrypted = options.wait ? await waitForPlain(operator) : await countOnlySealed(operator.db);
      answer(options, { until, onlyEncrypted }, unsealed(until, onlyEncrypted));
      if (options.wait && onlyEncrypted > 0) process.exitCode = 1;
    });
  });
  return keys;
}

const statusOf = ({ db, keyRing, digestKeys }: Operator): Promise<KeyStatus> =>
  readKeyStatus(db, { keyRing: keyRing.ids, digestKeys: digestKeys.ids });

const waitForReseal = (operator: Operator): Promise<KeyStatus> =>
  poll(
    () => statusOf(operator),
    (status) => countOutdated(status) === 0,
  );

const waitForPlain = ({ db }: Operator): Promise<number> =>
  poll(
    () => countOnlySealed(db),
    (count) => count === 0,
  );

/** Reads until the state is the final one or the time is up, and returns the last state. */
async function poll<T>(read: () => Promise<T>, isDone: (state: T) => boolean): Promise<T> {
  const deadline = Date.now() + maxWaitMs;
  for (;;) {
    const state = await read();
    if (isDone(state) || Date.now() > deadline) return state;
    await sleep(pollMs);
  }
}

const unsealed = (until: Date, onlyEncrypted: number): string =>
  [
    `HA1s are also stored unencrypted until ${until.toISOString()}, and for as long as an edge without keys runs.`,
    onlyEncrypted === 0
      ? 'Edges without keys can be started.'
      : `${onlyEncrypted} are not yet: the worker stores them within minutes. Start an edge without keys when disca keys unseal --wait has finished.`,
  ].join('\n');

function report(status: KeyStatus): string {
  const { digests, unencryptedRecordings } = status;
  const counted = (counts: { key: string; count: number }[]): string =>
    counts.map(({ key, count }) => `${count} with ${key}`).join(', ') || 'none';
  const lines = status.seals.map(({ name, keys }) => `${name.padEnd(24)} ${counted(keys)}`);
  lines.push(`${'HA1s'.padEnd(24)} ${counted(digests.sealed)}, ${digests.unencrypted} unencrypted`);
  lines.push(`${'recordings'.padEnd(24)} ${unencryptedRecordings} unencrypted`);
  for (const { edge, keys } of digests.edges)
    lines.push(`${`keys of edge ${edge}`.padEnd(24)} ${keys.filter(Boolean).join(', ') || 'none'}`);
  return [...lines, ...conclusions(status)].join('\n');
}

function conclusions(status: KeyStatus): string[] {
  const outdated = countOutdated(status);
  const unused = status.unusedKeys.map(
    (key) =>
      `Nothing stored is sealed with ${key}. Remove it from KEY_RING ${linkDays} days after the newer key was added, because links in mails are signed with it. Keep a copy for as long as you keep backups from before.`,
  );
  const unusedDigests = status.digests.unusedKeys.map(
    (key) => `No HA1 is sealed with ${key}. Remove it from DIGEST_KEYS.`,
  );
  return [
    ...(outdated > 0 ? [`${outdated} are sealed with other keys than the current ones.`] : []),
    ...status.missingKeys.map(
      (key) => `KEY_RING has no key ${key}, so what is sealed with it cannot be opened. Add it again.`,
    ),
    ...unused,
    ...unusedDigests,
  ];
}
