import type { Command } from 'commander';
import { Refusal } from '../../platform/errors.ts';
import { accountCommands } from './account.ts';
import { backupCommands } from './backup.ts';
import { callerIdCommands } from './caller-id.ts';
import { capsCommands } from './caps.ts';
import { creditCommands } from './credit.ts';
import { doctorCommand } from './doctor.ts';
import { ledgerCommands } from './ledger.ts';
import { migrateCommands } from './migrate.ts';
import { nodeCommands } from './node.ts';
import { personCommands } from './person.ts';
import { ratesCommands } from './rates.ts';
import { restoreCommands } from './restore.ts';
import { trunkCommands } from './trunk.ts';

/** What operators do on the machine of the service: it reads DATABASE_OWNER_URL and the settings of the service. */
export const operatorCommands = (): Command[] => [
  accountCommands(),
  capsCommands(),
  callerIdCommands(),
  creditCommands(),
  ratesCommands(),
  ledgerCommands(),
  trunkCommands(),
  nodeCommands(),
  personCommands(),
  backupCommands(),
  restoreCommands(),
  migrateCommands(),
  doctorCommand(),
];

/** What a refusal says to an operator. */
export function operatorMessage(error: unknown): string | undefined {
  if (!(error instanceof Refusal)) return undefined;
  if (error.code === 'NOT_FOUND') return 'There is no such account. Name it by domain, uuid or number.';
  return error.details?.map((fault) => fault.message).join('\n') ?? error.message;
}
