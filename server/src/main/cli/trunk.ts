import { Command, Option } from 'commander';
import {
  addTrunk,
  listTrunks,
  removeTrunk,
  setTrunk,
  switchTrunk,
  testTrunk,
} from '../../contexts/telephony/index.ts';
import { answer, asOperator, withJson } from './operator.ts';
import { type ConnectionOptions, connectionOf, withConnectionOptions } from './trunk-options.ts';

type Json = { json?: boolean };

interface AddOptions extends Json, ConnectionOptions {
  mode: 'test' | 'live';
  address: string;
  callerId: string;
  callerIdRule: 'owned' | 'default';
  prefixes?: string;
  priority: number;
  strip: number;
  add: string;
}

export function trunkCommands(): Command {
  const trunk = new Command('trunk').description('carriers');
  trunk.addCommand(addCommand());
  trunk.addCommand(setCommand());

  withJson(trunk.command('list').description('list the trunks')).action(async (options: Json) => {
    await asOperator(async (operator) => {
      const trunks = await listTrunks(operator);
      const lines = trunks.map((each) =>
        [
          each.name.padEnd(16),
          each.enabled ? each.mode.padEnd(8) : 'disabled',
          each.address.padEnd(28),
          protectionOf(each).padEnd(24),
          String(each.priority).padStart(5),
          each.prefixes.join(',') || 'all numbers',
        ].join(' '),
      );
      answer(
        options,
        trunks.map(withoutPasswords),
        lines.join('\n') || 'No trunks yet. Add one with: disca trunk add',
      );
    });
  });

  const named = (name: string, description: string): Command =>
    withJson(trunk.command(name).description(description).argument('<name>'));
  for (const [command, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    named(command, enabled ? 'use a trunk for calls' : 'stop using a trunk for new calls').action(
      async (name: string, options: Json) => {
        await asOperator(async (operator) => {
          await switchTrunk(operator, name, enabled);
          answer(options, { name, enabled }, `${name} is ${command}d.`);
        });
      },
    );
  }
  named('remove', 'remove a trunk').action(async (name: string, options: Json) => {
    await asOperator(async (operator) => {
      await removeTrunk(operator, name);
      answer(options, { name }, `${name} is removed.`);
    });
  });
  named('test', 'place a short test call and show the result')
    .argument('<number>', 'number to call')
    .action(async (name: string, number: string, options: Json) => {
      await asOperator(async (operator) => {
        const result = await testTrunk(operator, name, number);
        answer(options, result, `${name}: ${result.outcome}${result.detail && `. ${result.detail}`}`);
        if (result.outcome !== 'answered') process.exitCode = 1;
      });
    });
  return trunk;
}

type Trunk = Awaited<ReturnType<typeof listTrunks>>[number];
type Protection = Pick<Trunk, 'transport' | 'srtp'> &
  Record<'outboundLogin' | 'inboundLogin', { user: string } | null>;

const protectionOf = ({ transport, srtp, outboundLogin, inboundLogin }: Protection): string =>
  [transport, srtp && 'srtp', outboundLogin && 'login', inboundLogin && 'inbound-login']
    .filter(Boolean)
    .join(',');

/** Returns the trunk with the user names only. */
const withoutPasswords = <T extends Protection>(trunk: T) => ({
  ...trunk,
  outboundLogin: trunk.outboundLogin && { user: trunk.outboundLogin.user },
  inboundLogin: trunk.inboundLogin && { user: trunk.inboundLogin.user },
});

const addCommand = (): Command =>
  withConnectionOptions(
    withJson(new Command('add'))
      .description('add a trunk')
      .argument('<name>', 'lower-case letters, digits and hyphens')
      .addOption(
        new Option('--mode <mode>', 'mode of the calls it carries')
          .choices(['test', 'live'])
          .makeOptionMandatory(),
      )
      .requiredOption('--address <host:port>', 'address of its SIP server')
      .requiredOption('--caller-id <digits>', 'caller ID for calls that have none')
      .addOption(
        new Option('--caller-id-rule <rule>', 'whether it accepts customers’ own caller IDs')
          .choices(['owned', 'default'])
          .default('owned'),
      )
      .option('--prefixes <list>', 'number prefixes it carries, comma-separated; default: all')
      .option('--priority <number>', 'trunks with the lowest value are tried first', Number, 100)
      .option('--strip <digits>', 'number of leading digits to remove', Number, 0)
      .option('--add <digits>', 'digits to add in front', ''),
  ).action(async (name: string, options: AddOptions) => {
    await asOperator(async (operator) => {
      const trunk = {
        name,
        mode: options.mode,
        address: options.address,
        prefixes: options.prefixes?.split(',').map((prefix) => prefix.trim()) ?? [],
        priority: options.priority,
        defaultCallerId: options.callerId,
        callerIdRule: options.callerIdRule,
        stripDigits: options.strip,
        addDigits: options.add,
        transport: 'udp' as const,
        srtp: false,
        outboundLogin: null,
        inboundLogin: null,
        enabled: true,
        ...connectionOf(options),
      };
      await addTrunk(operator, trunk);
      answer(options, withoutPasswords(trunk), `${name} is added; calls use it within seconds.`);
    });
  });

const setCommand = (): Command =>
  withConnectionOptions(
    withJson(new Command('set'))
      .description('change how a trunk is reached and protected')
      .argument('<name>')
      .option('--address <host:port>', 'address of its SIP server'),
  )
    .option('--no-user', 'call without credentials')
    .option('--no-inbound-user', 'accept calls from its address without credentials')
    .action(async (name: string, options: ConnectionOptions & Json & { address?: string }) => {
      await asOperator(async (operator) => {
        const { address } = options;
        const change = { ...connectionOf(options), ...(address === undefined ? {} : { address }) };
        const trunk = await setTrunk(operator, name, change);
        answer(
          options,
          withoutPasswords(trunk),
          `${name} is changed (${trunk.address}, ${protectionOf(trunk)}); calls use it within seconds.`,
        );
      });
    });
