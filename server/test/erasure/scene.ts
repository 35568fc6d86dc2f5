import { holdForCall, settleCall } from '../../src/contexts/billing/index.ts';
import { expectRecording } from '../../src/contexts/recordings/index.ts';
import { erasePerson } from '../../src/main/erase-person.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import type { Person } from '../../src/platform/erased.ts';
import { addDeck, giveCredit, within } from '../billing/scene.ts';
import { type CallRow, insertCalls } from '../calls-list/fixtures.ts';
import { createAccount, type TestAccount } from '../harness/people.ts';
import { type Platform, startPlatform } from '../harness/platform.ts';
import { upload, wav } from '../recordings/scene.ts';

export interface ErasureScene {
  platform: Platform;
  owner: Database;
  account: TestAccount;
  /** A call that is over, with its hold, its events and its recording. */
  addCall(call: Partial<CallRow>, of?: TestAccount): Promise<string>;
  erase(person: Person): ReturnType<typeof erasePerson>;
  close(): Promise<void>;
}

export async function setErasureScene(): Promise<ErasureScene> {
  const platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  const owner = openDatabase(
    {
      url: platform.database.ownerUrl,
      poolSize: 2,
      applicationName: 'erasure-test',
      statementTimeoutMs: 60_000,
    },
    () => undefined,
  );
  const account = await createAccount(platform);
  await addDeck(platform, [{ prefix: '55', price: 0.12 }]);

  async function addCall(call: Partial<CallRow>, of = account): Promise<string> {
    const at = platform.clock.now();
    const [callId = ''] = await insertCalls(platform.database, of, [
      { startedAt: at, recorded: true, ...call },
    ]);
    const destination = call.to ?? '5511987654321';
    await giveCredit(platform, of.id, 10);
    await within(platform, of.id, async (tx) => {
      await holdForCall(tx, platform.api.app, { accountId: of.id, callId, destination, at });
      await settleCall(tx, { accountId: of.id, callId, usedSeconds: 42, at });
      await expectRecording(tx, { accountId: of.id, callId, at });
    });
    await addEvents(platform, of.id, callId);
    await upload(platform, callId, wav(1));
    return callId;
  }

  return {
    platform,
    owner,
    account,
    addCall,
    erase: (person) =>
      erasePerson(
        { db: owner, clock: platform.clock, storage: platform.api.base.storage },
        account.id,
        person,
      ),
    async close() {
      await owner.close();
      await platform.close();
    },
  };
}

/** As call control tells them: what the call was, at its beginning and at its end. */
async function addEvents({ database }: Platform, accountId: number, callId: string): Promise<void> {
  await database.query(
    `insert into events (id, account_id, type, subject_id, data, occurred_at)
     select overlay(uuid_floor(told.at)::text placing substr(gen_random_uuid()::text, 20) from 20)::uuid, c.account_id,
            told.type, c.id::text,
            jsonb_build_object('sequence', 1, 'call',
              jsonb_build_object('id', c.id, 'from', c."from", 'to', c."to", 'metadata', c.metadata, 'duration', c.duration)),
            told.at
       from calls c, lateral (values ('channel-create', c.started_at), ('channel-hangup', c.ended_at)) told (type, at)
      where c.account_id = $1 and c.id = $2`,
    [accountId, callId],
  );
}

/** Every text that the database has about the account, table by table. */
export async function textsOf({ database }: Platform, accountId: number): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  const texts: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await database.query<{ text: string | null }>(
      `select string_agg(to_jsonb(t)::text, ' ') as text from "${name}" t where account_id = $1`,
      [accountId],
    );
    texts[name] = row?.text ?? '';
  }
  return texts;
}

export const tablesNaming = (texts: Record<string, string>, word: string): string[] =>
  Object.entries(texts).flatMap(([table, text]) => (text.toLowerCase().includes(word) ? [table] : []));
