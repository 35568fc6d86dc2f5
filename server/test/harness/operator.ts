import type { QueueMail } from '../../src/contexts/notifications/index.ts';
import {
  addOperator,
  logInOperator,
  type OperatorRole,
  setUpOperator,
} from '../../src/contexts/operators/index.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import type { KeyRing } from '../../src/platform/keyring.ts';
import type { Clock } from '../../src/platform/time.ts';
import { totpCode } from './factors.ts';
import { cheapPasswords, type Platform } from './platform.ts';

/** Dependencies of the CLI, with the rights of operator commands. */
export interface TestOperator {
  db: Database;
  clock: Clock;
  keyRing: KeyRing;
  close(): Promise<void>;
}

export function openOperator({ database, clock, api }: Platform): TestOperator {
  const options = {
    url: database.operatorUrl,
    poolSize: 2,
    applicationName: 'test',
    statementTimeoutMs: 60_000,
  };
  const db = openDatabase(options, () => undefined);
  return { db, clock, keyRing: api.base.keyRing, close: () => db.close() };
}

export const operatorPassword = 'correct horse battery';

/** Adds an operator, sets up their app and logs in; returns the secret of the app and the token. */
export async function addNamedOperator(
  operator: TestOperator,
  { name, role }: { name: string; role: OperatorRole },
): Promise<{ secret: string; token: string }> {
  const deps = { ...operator, passwords: cheapPasswords() };
  const codes: string[] = [];
  const queueMail: QueueMail = async (_tx, mail) => {
    if (mail.template === 'operator-code') codes.push(mail.data.code);
  };
  await addOperator({ ...operator, queueMail }, { name, email: `${name}@disca.test`, role });
  const [code = ''] = codes;
  const { secret } = await setUpOperator(deps, { name, code, password: operatorPassword });
  const otp = totpCode(secret, operator.clock.now());
  const { token } = await logInOperator(deps, { name, password: operatorPassword, otp });
  return { secret, token };
}
