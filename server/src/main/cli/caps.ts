import { Command, InvalidArgumentError } from 'commander';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { showAccount } from '../../contexts/accounts/index.ts';
import { type ShownCaps, setCaps, showCaps } from '../../contexts/calls/index.ts';
import { microsFromReais, reaisFromMicros } from '../../platform/money.ts';
import { answer, asOperator, withJson } from './operator.ts';

type Value<T> = T | 'default';

/** Parses a value, or the word that restores the default. */
const orDefault =
  <T>(parse: (text: string) => T) =>
  (text: string): Value<T> =>
    text === 'default' ? text : parse(text);

const whole = orDefault((text) => {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Expected a whole number, or default.');
  return Number(text);
});

const micros = orDefault((text) => {
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(text))
    throw new InvalidArgumentError('Expected an amount in reais such as 500 or 0.25, or default.');
  return microsFromReais(Number(text));
});

const countries = orDefault((text) => {
  const codes = text.toUpperCase().split(',');
  const unknown = codes.filter((code) => !isSupportedCountry(code));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`Unknown country ${unknown.join(', ')}: use codes such as BR,PT.`);
  return [...new Set(codes)].sort();
});

interface Options {
  callsPerSecond?: Value<number>;
  concurrent?: Value<number>;
  inboundPerNumber?: Value<number>;
  dailySpend?: Value<number>;
  pricePerMinute?: Value<number>;
  countries?: Value<string[]>;
  json?: boolean;
}

export function capsCommands(): Command {
  const caps = new Command('caps').description('caps of an account');
  const about = (name: string, description: string): Command =>
    withJson(
      caps
        .command(name)
        .description(description)
        .argument('<account>', 'domain, UUID or number of the account'),
    );

  about('show', 'show the caps of an account').action(async (name: string, options: Options) => {
    await asOperator(async (operator) => {
      const account = await showAccount(operator, name);
      printCaps(options, await showCaps(operator, account.id));
    });
  });

  about('set', 'change the caps of an account; the word default restores a default')
    .option('--calls-per-second <number>', 'new calls per second', whole)
    .option('--concurrent <number>', 'concurrent calls', whole)
    .option('--inbound-per-number <number>', 'concurrent calls from outside to one number', whole)
    .option('--daily-spend <reais>', 'maximum spend on calls per day', micros)
    .option('--price-per-minute <reais>', 'highest price per minute', micros)
    .option('--countries <codes>', 'countries that may be called, such as BR,PT', countries)
    .action(async (name: string, options: Options) => {
      await asOperator(async (operator) => {
        const account = await showAccount(operator, name);
        printCaps(options, await setCaps(operator, account.id, changeFrom(options)));
      });
    });
  return caps;
}

const changeFrom = (options: Options): Parameters<typeof setCaps>[2] => ({
  ...named('callsPerSecond', options.callsPerSecond),
  ...named('concurrentCalls', options.concurrent),
  ...named('inboundCallsPerNumber', options.inboundPerNumber),
  ...named('dailySpendMicros', options.dailySpend),
  ...named('pricePerMinuteMicros', options.pricePerMinute),
  ...named('countries', options.countries),
});

const named = (cap: string, value: Value<number | string[]> | undefined): object =>
  value === undefined ? {} : { [cap]: value === 'default' ? null : value };

function printCaps(options: Options, { caps, set }: ShownCaps): void {
  const value = {
    callsPerSecond: caps.callsPerSecond,
    concurrentCalls: caps.concurrentCalls ?? null,
    inboundCallsPerNumber: caps.inboundCallsPerNumber,
    dailySpend: reaisFromMicros(caps.dailySpendMicros),
    pricePerMinute: reaisFromMicros(caps.pricePerMinuteMicros),
    countries: caps.countries,
  };
  const line = (name: string, text: string, isSet: boolean): string =>
    `${name.padEnd(18)} ${text}${isSet ? '' : ' (default)'}`;
  const lines = [
    line('calls per second', String(value.callsPerSecond), set.callsPerSecond !== null),
    line(
      'concurrent calls',
      value.concurrentCalls === null
        ? '10, or one for each extension, up to the budget'
        : String(value.concurrentCalls),
      set.concurrentCalls !== null,
    ),
    line('inbound per number', String(value.inboundCallsPerNumber), set.inboundCallsPerNumber !== null),
    line('daily spend', `R$ ${value.dailySpend}`, set.dailySpendMicros !== null),
    line('price per minute', `R$ ${value.pricePerMinute}`, set.pricePerMinuteMicros !== null),
    line('countries', value.countries.join(', '), set.countries !== null),
  ];
  answer(options, value, lines.join('\n'));
}
