import { inAccount, type Tx } from '../../platform/db/database.ts';
import { allowPauses, exportedTables, readTable } from './export.store.ts';
import { type OperatorDeps, showAccount } from './operate-account.ts';

/** Exports all data of an account, without secrets, as one JSON document that is streamed. */
export async function exportAccount(
  deps: OperatorDeps,
  name: string,
  write: (text: string) => Promise<void>,
): Promise<void> {
  const account = await showAccount(deps, name);
  const writeAll = async (tx: Tx): Promise<void> => {
    await allowPauses(tx);
    await write(`{\n"account": ${JSON.stringify(account)}`);
    for (const table of exportedTables) {
      await write(`,\n"${table}": [`);
      let separator = '\n';
      for await (const row of readTable(tx, table, account.id)) {
        await write(`${separator}${JSON.stringify(row)}`);
        separator = ',\n';
      }
      await write(']');
    }
    await write('\n}\n');
  };
  // What was written cannot be taken back.
  await inAccount(deps.db, account.id, writeAll, { runsOnce: true });
}
