import type pg from 'pg';
import { type Definition, inOrder } from '../../server/src/platform/db/definition-files.ts';
import { readObjects } from '../../server/src/platform/db/definitions.ts';
import { definedObjects } from './definition-rules.ts';

/** Returns how the functions, views, triggers and policies of a database differ from the files. */
export async function compareDatabase(client: pg.Client, files: Definition[]): Promise<string[]> {
  const live = await readObjects(client);
  const expected = definedObjects(files).map(({ identity }) => identity);
  const names = [...live.keys()].map((identity) => identity.replace(/\(.*\)$/, ''));
  return [
    ...without(names, expected).map(
      (identity) => `${identity} is in the database and in no file of server/sql.`,
    ),
    ...without(expected, names).map((identity) => `${identity} is in server/sql and not in the database.`),
    ...(await changedByFiles(client, files, live)),
  ];
}

/** Removes each item of `others` once: a name that occurs twice must be matched twice. */
function without(items: string[], others: string[]): string[] {
  const rest = [...others];
  return items.filter((item) => {
    const index = rest.indexOf(item);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}

/** Applies all files again and rolls back. A definition that changes was different from its file. */
async function changedByFiles(
  client: pg.Client,
  files: Definition[],
  before: Map<string, string>,
): Promise<string[]> {
  await client.query('begin');
  try {
    for (const { text } of inOrder(files)) await client.query(text);
    const after = await readObjects(client);
    return [...after.keys()]
      .filter((identity) => before.has(identity) && before.get(identity) !== after.get(identity))
      .map((identity) => `${identity} differs from its file.`);
  } finally {
    await client.query('rollback');
  }
}
