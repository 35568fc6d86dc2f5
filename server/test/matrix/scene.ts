import { vi } from 'vitest';
import { signatureOf } from '../../src/contexts/sandbox/notification.ts';
import { addDeck, giveCredit } from '../billing/scene.ts';
import { gatewayEvent, type References, unknownKind } from '../harness/example-request.ts';
import { type Operation, referencePlaces } from '../harness/operations.ts';
import { createAccount, type Person, type TestAccount } from '../harness/people.ts';
import { type Platform, startPlatform } from '../harness/platform.ts';
import { kinds } from './kinds.ts';

// A matrix is hundreds of requests in one test, and the machine may be busy.
vi.setConfig({ testTimeout: 180_000 });

export type Role = 'ADMIN' | 'USER';

/** Two accounts that must know nothing of each other, and people made as they are needed. */
export interface Scene {
  platform: Platform;
  ours: TestAccount;
  theirs: TestAccount;
  /** Somebody new in our account, verified, so that nothing done to them matters to the next case. */
  somebody(role: Role): Promise<Person>;
  /** Objects that the caller may name in a request of this operation, each made for it. */
  referencesFor(operation: Operation, caller: Person, role: Role): Promise<References>;
}

export async function setScene(): Promise<Scene> {
  const platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  const ours = await createAccount(platform);
  const theirs = await createAccount(platform);
  await addDeck(platform, [{ prefix: '55', price: 0.12 }]);
  for (const { id } of [ours, theirs]) {
    await giveCredit(platform, id, 1_000);
    // Every case places a call, and none of them ends.
    await platform.database.query(
      'insert into account_caps (account_id, calls_per_second, concurrent_calls) values ($1, 10000, 1000000)',
      [id],
    );
  }
  const scene: Scene = {
    platform,
    ours,
    theirs,
    async somebody(role) {
      const person = await ours.addUser(role);
      await platform.database.query('update users set email_verified = true where uuid = $1', [person.uuid]);
      return person;
    },
    async referencesFor(operation, caller, role) {
      // One of the operations sets the credit, and every case wants to place a call.
      await giveCredit(platform, ours.id, 1);
      // An account has one open charge at a time, and every case wants to make its own.
      await platform.database.query(`update charges set status = 'CANCELED' where status = 'PENDING'`);
      const named = new Map([['gateway-signature', signatureOf(platform.api.base, gatewayEvent)]]);
      for (const { kind } of referencePlaces(operation)) {
        const own = kinds[kind]?.own(scene, caller, role);
        named.set(kind, (await own) ?? unknownKind(kind));
      }
      return (kind) => named.get(kind) ?? unknownKind(kind);
    },
  };
  return scene;
}
