import { type Config, configSchema, readConfig } from '../../config.ts';
import { withFiles } from '../../settings-from-files.ts';
import { type Check, fault, ok } from './finding.ts';

export type Environment = Record<string, string | undefined>;

/** The valid settings. An invalid setting must not prevent the other checks. */
export interface Settings extends Partial<Config> {
  DATABASE_OWNER_URL?: string | undefined;
  DATABASE_OPERATOR_URL?: string | undefined;
}

const names = Object.keys(configSchema.shape) as (keyof Config)[];

export function readableSettings(environment: Environment): Settings {
  const set = withFiles(environment, [...names, 'DATABASE_OWNER_URL', 'DATABASE_OPERATOR_URL']);
  const read = names.map((name) => [name, configSchema.shape[name].safeParse(set[name]).data]);
  return {
    ...(Object.fromEntries(read) as Partial<Config>),
    DATABASE_OWNER_URL: set.DATABASE_OWNER_URL,
    DATABASE_OPERATOR_URL: set.DATABASE_OPERATOR_URL,
  };
}

export const checkSettings = (environment: Environment): Check => ({
  part: 'configuration',
  otherwise: 'Fix the settings listed; the processes do not start with them.',
  async look() {
    readConfig(environment);
    const { DATABASE_OWNER_URL: ownerUrl } = readableSettings(environment);
    if (ownerUrl) return ok('configuration', 'every setting is valid');
    return fault(
      'configuration',
      'DATABASE_OWNER_URL is not set',
      'Set it to the role that owns the database; most checks need it.',
    );
  },
});
