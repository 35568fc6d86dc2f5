import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { type DeckRate, importRates, listRateDecks, showRates } from '../../contexts/billing/index.ts';
import { reaisFromMicros } from '../../platform/money.ts';
import { startOfDay } from '../../platform/time.ts';
import { answer, asOperator, withJson } from './operator.ts';

/** Parses a date as midnight in São Paulo; a time needs an offset. */
function moment(text: string): Date {
  const day = z.iso.date().safeParse(text);
  if (day.success) return startOfDay(day.data);
  const instant = z.iso.datetime({ offset: true }).safeParse(text);
  if (instant.success) return new Date(instant.data);
  throw new InvalidArgumentError(
    'Expected a date in São Paulo such as 2026-12-01, or a time such as 2026-12-01T03:00:00Z.',
  );
}

const shown = (rate: DeckRate): string =>
  `${rate.prefix.padEnd(15)} R$ ${reaisFromMicros(rate.pricePerMinuteMicros)}/min  ${rate.minimumSeconds}+${rate.stepSeconds} s, ${rate.freeSeconds} s free  ${rate.description}`;

const maxShown = 20;

function listed(title: string, lines: string[]): string[] {
  if (lines.length === 0) return [];
  const rest = lines.length > maxShown ? [`  … and ${lines.length - maxShown} more`] : [];
  return [`${title}: ${lines.length}`, ...lines.slice(0, maxShown).map((line) => `  ${line}`), ...rest];
}

export function ratesCommands(): Command {
  const rates = new Command('rates').description('price lists');

  withJson(
    rates
      .command('import')
      .description(
        'import a deck from a CSV file: prefix, description, price_per_minute, minimum_seconds, step_seconds, free_seconds',
      )
      .argument('<file>')
      .requiredOption('--from <date>', 'when it takes effect', moment)
      .option('--name <name>', 'name of the deck; default: the file name')
      .option('--dry-run', 'only show the changes'),
  ).action(async (file: string, options: { from: Date; name?: string; dryRun?: boolean; json?: boolean }) => {
    await asOperator(async (operator) => {
      const deck = {
        csv: await readFile(file, 'utf8'),
        name: options.name ?? basename(file),
        effectiveFrom: options.from,
        at: operator.clock.now(),
      };
      const difference = await importRates(operator, deck, options.dryRun ?? false);
      const text = [
        ...listed('Added', difference.added.map(shown)),
        ...listed('Removed', difference.removed.map(shown)),
        ...listed(
          'Changed',
          difference.changed.map(({ before, after }) => `${shown(before)}\n    → ${shown(after)}`),
        ),
        `Unchanged: ${difference.unchanged}`,
        options.dryRun
          ? 'Dry run: nothing was imported.'
          : `Imported; in effect from ${options.from.toISOString()}.`,
      ];
      answer(options, difference, text.join('\n'));
    });
  });

  withJson(rates.command('list').description('list the decks, newest first')).action(
    async (options: { json?: boolean }) => {
      await asOperator(async (operator) => {
        const decks = await listRateDecks(operator);
        const lines = decks.map(
          (deck) =>
            `${deck.effectiveFrom.toISOString()}  ${String(deck.rates).padStart(7)} rates  ${deck.name}`,
        );
        answer(options, decks, lines.join('\n') || 'No rates yet. Import a deck with: disca rates import');
      });
    },
  );

  withJson(
    rates
      .command('show')
      .description('show the deck in effect')
      .option('--at <date>', 'in effect at this date', moment)
      .option('--number <digits>', 'only the rates that match this number'),
  ).action(async (options: { at?: Date; number?: string; json?: boolean }) => {
    await asOperator(async (operator) => {
      const current = await showRates(operator, options.at ?? operator.clock.now(), options.number);
      const text = current
        ? [current.deck.name, ...current.rates.map(shown)].join('\n')
        : 'No deck is in effect.';
      answer(options, current ?? null, text);
    });
  });
  return rates;
}
