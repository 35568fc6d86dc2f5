import type { Command } from 'commander';
import { defaultCaps, leastConcurrentCalls } from '../../contexts/calls/index.ts';
import { findDefaults } from '../../contexts/limits/index.ts';
import { awaitsSetUp, findCreditMoved, type NamedOperator } from '../../contexts/operators/index.ts';
import type { Tx } from '../../platform/db/database.ts';
import { dayInSaoPaulo, startOfDay } from '../../platform/time.ts';
import type { Operator } from './operator.ts';

const newCode = 'A new set-up code of an operator';

/** Returns why a command needs a second operator; undefined if it does not. The log must be locked. */
export async function findCause(
  tx: Tx,
  operator: Operator,
  who: NamedOperator,
  path: string,
  command: Command,
): Promise<string | undefined> {
  switch (path) {
    case 'account go-live':
      return 'Live mode';
    case 'operators add':
      return newCode;
    case 'operators reset':
      return (await awaitsSetUp(tx, String(command.processedArgs[0]))) ? undefined : newCode;
    case 'budgets default':
      return 'A default budget of all accounts';
    case 'credit adjust':
      return await creditCause(tx, operator, who, Number(command.processedArgs[1]));
    case 'caps set':
      return capsCause(operator, command.opts());
    case 'budgets set':
      return await budgetCause(
        operator,
        command.processedArgs as [string, string, number | 'none' | 'default'],
      );
    default:
      return undefined;
  }
}

async function creditCause(
  tx: Tx,
  { clock, limits }: Operator,
  who: NamedOperator,
  amount: number,
): Promise<string | undefined> {
  const moved = await findCreditMoved(tx, who.name, startOfDay(dayInSaoPaulo(clock.now())));
  const most = limits.creditReais;
  return moved + Math.abs(amount) > most
    ? `More than R$ ${most} of credit per operator and day (R$ ${moved} today)`
    : undefined;
}

/** Defaults of the caps that have a number. */
const numbers: Record<string, number> = {
  callsPerSecond: defaultCaps.callsPerSecond,
  concurrent: leastConcurrentCalls,
  inboundPerNumber: defaultCaps.inboundCallsPerNumber,
  dailySpend: defaultCaps.dailySpendMicros,
  pricePerMinute: defaultCaps.pricePerMinuteMicros,
};

function capsCause({ limits }: Operator, options: Record<string, unknown>): string | undefined {
  const above = Object.entries(numbers).find(
    ([name, usual]) => typeof options[name] === 'number' && options[name] > usual * limits.capFactor,
  );
  return above && `A cap above ${limits.capFactor} times its default (${above[0]})`;
}

async function budgetCause(
  { db, limits }: Operator,
  [, resource, most]: [string, string, number | 'none' | 'default'],
): Promise<string | undefined> {
  const usual = (await findDefaults(db)).find((each) => each.resource === resource)?.live ?? null;
  if (most === 'default' || usual === null) return undefined;
  const isAbove = most === 'none' || most > usual * limits.capFactor;
  return isAbove ? `A budget above ${limits.capFactor} times that of live accounts` : undefined;
}
