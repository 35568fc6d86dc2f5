import { Command, InvalidArgumentError, Option } from 'commander';
import { openStorage } from '../../adapters/storage/index.ts';
import { showAccount } from '../../contexts/accounts/index.ts';
import type { RecordingStorage } from '../../contexts/recordings/index.ts';
import type { Person } from '../../platform/erased.ts';
import { configSchema } from '../config.ts';
import { type Erasure, erasePerson } from '../erase-person.ts';
import { answer, asOperator, withJson } from './operator.ts';
import { phoneArgument } from './phone-argument.ts';

function emailAddress(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new InvalidArgumentError('Expected an e-mail address.');
  return text;
}

export function personCommands(): Command {
  const person = new Command('person').description('personal data in an account');
  withJson(
    person
      .command('erase')
      .description(
        'erase a person from an account: replaces names and numbers, removes recordings; keeps money, counts and times',
      )
      .argument('<account>', 'domain, UUID or number of the account')
      .addOption(
        new Option('--phone <number>', 'with country code').argParser(phoneArgument).conflicts('email'),
      )
      .addOption(new Option('--email <address>', 'of a customer or a user').argParser(emailAddress)),
  ).action(async (name: string, options: { phone?: string; email?: string; json?: boolean }) => {
    const who = parsePerson(options);
    await asOperator(async (operator) => {
      const account = await showAccount(operator, name);
      const storage = storageOf(process.env);
      try {
        const erasure = await erasePerson({ ...operator, storage }, account.id, who);
        answer(options, erasure, report(erasure));
        if (erasure.runningCalls > 0) process.exitCode = 1;
      } finally {
        storage.close();
      }
    });
  });
  return person;
}

function parsePerson({ phone, email }: { phone?: string; email?: string }): Person {
  if (phone !== undefined) return { phone };
  if (email !== undefined) return { email };
  throw new Error('Identify the person: --phone or --email.');
}

const storageSettings = configSchema.pick({
  STORAGE_URL: true,
  S3_ACCESS_KEY_ID: true,
  S3_SECRET_ACCESS_KEY: true,
});

export function storageOf(environment: NodeJS.ProcessEnv): RecordingStorage {
  const settings = storageSettings.safeParse(environment);
  if (!settings.success) throw new Error('STORAGE_URL must be set to the same value as for the service.');
  return openStorage({
    url: settings.data.STORAGE_URL,
    accessKeyId: settings.data.S3_ACCESS_KEY_ID,
    secretAccessKey: settings.data.S3_SECRET_ACCESS_KEY,
  });
}

const words: Record<Exclude<keyof Erasure, 'runningCalls'>, string> = {
  users: 'users',
  accounts: 'accounts',
  financialAccounts: 'financial accounts',
  extensions: 'extensions',
  callerIds: 'caller IDs',
  calls: 'calls',
  contacts: 'contacts',
  events: 'events',
  recordings: 'recordings',
  holds: 'holds',
  webhookResponses: 'webhook responses',
  auditEntries: 'audit entries',
  requests: 'requests',
};

function report({ runningCalls, ...changed }: Erasure): string {
  const parts = Object.entries(words).map(([key, word]) => `${changed[key as keyof typeof words]} ${word}`);
  return [
    `Erased from ${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}.`,
    ...(runningCalls > 0
      ? [`${runningCalls} calls of this person have not ended. Run this again when they have.`]
      : []),
    'Not erased: descriptions of charges, archived months of calls, data at the payment gateway, backups.',
  ].join('\n');
}
