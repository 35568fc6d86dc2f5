import type { Command } from 'commander';
import { Refusal } from '../../platform/errors.ts';
import { accountCommands } from './account.ts';
import { backupCommands } from './backup.ts';
import { banCommands } from './ban.ts';
import { budgetCommands } from './budgets.ts';
import { callerIdCommands } from './caller-id.ts';
import { capsCommands } from './caps.ts';
import { creditCommands } from './credit.ts';
import { doctorCommand } from './doctor.ts';
import { keyCommands } from './keys.ts';
import { ledgerCommands } from './ledger.ts';
import { migrateCommands } from './migrate.ts';
import { nodeCommands } from './node.ts';
import { personCommands } from './person.ts';
import { ratesCommands } from './rates.ts';
import { restoreCommands } from './restore.ts';
import { trunkCommands } from './trunk.ts';

/**
 * Returns the operator commands, which run on a machine of the service. They read DATABASE_OWNER_URL and the service's
 * settings.
 */
export const operatorCommands = (): Command[] => [
  accountCommands(),
  capsCommands(),
  budgetCommands(),
  callerIdCommands(),
  creditCommands(),
  ratesCommands(),
  ledgerCommands(),
  keyCommands(),
  trunkCommands(),
  nodeCommands(),
  banCommands(),
  personCommands(),
  backupCommands(),
  restoreCommands(),
  migrateCommands(),
  doctorCommand(),
];

/** Returns the message that a refusal shows to an operator. */
export function operatorMessage(error: unknown): string | undefined {
  if (!(error instanceof Refusal)) return undefined;
  if (error.code === 'NOT_FOUND') return 'Account not found. Give its domain, UUID or number.';
  return error.details?.map((fault) => fault.message).join('\n') ?? error.message;
}
