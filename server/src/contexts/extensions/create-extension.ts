import type { Caller } from '../../platform/caller.ts';
import { inAccount, type Tx } from '../../platform/db/database.ts';
import { type Fault, invalid, Refusal } from '../../platform/errors.ts';
import { lockAdminsFor } from '../users/index.ts';
import { addExtensions, type ExtensionDeps } from './add-extensions.ts';
import { faultsOf, faultsOfRows, type NewExtension } from './extension.rules.ts';
import { findFreeRamal, findTaken } from './extension.store.ts';
import type { Extension } from './extension.ts';

export async function createExtension(
  deps: ExtensionDeps,
  caller: Caller,
  input: NewExtension,
): Promise<Extension> {
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    // All writers of extensions take this lock, so that a free number stays free until commit.
    await lockAdminsFor(tx, caller);
    return await addOne(tx, deps, caller, input);
  });
}

/** Creates an extension with the lowest free number. */
export async function createNextExtension(
  deps: ExtensionDeps,
  caller: Caller,
  input: Omit<NewExtension, 'ramal'>,
): Promise<Extension> {
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    await lockAdminsFor(tx, caller);
    const ramal = await findFreeRamal(tx, caller.accountId);
    return await addOne(tx, deps, caller, { ...input, ramal });
  });
}

/** Returns the faults of a new extension that the schema cannot detect, in its valid fields. */
export async function faultsOfNew(
  { db }: ExtensionDeps,
  { accountId }: Caller,
  given: { ramal: string | undefined; senha: string | undefined },
): Promise<Fault[]> {
  const { ramal } = given;
  const isTaken =
    ramal !== undefined &&
    (await inAccount(db, accountId, (tx) => findTaken(tx, accountId, [ramal]))).has(ramal);
  return faultsOf(given, isTaken);
}

async function addOne(tx: Tx, deps: ExtensionDeps, caller: Caller, input: NewExtension): Promise<Extension> {
  const taken = await findTaken(tx, caller.accountId, [input.ramal]);
  const faults = faultsOf(input, taken.has(input.ramal));
  if (faults.length > 0) throw invalid(...faults);
  const [extension] = await addExtensions(tx, deps, caller, [input]);
  if (!extension) throw new Error('The extension was not inserted.');
  return extension;
}

/** Creates all rows or none; a dry run only validates. */
export async function createExtensions(
  deps: ExtensionDeps,
  caller: Caller,
  inputs: NewExtension[],
  { isDryRun }: { isDryRun: boolean },
): Promise<Extension[]> {
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    await lockAdminsFor(tx, caller);
    await refuseRows(tx, caller, inputs, []);
    return isDryRun ? [] : await addExtensions(tx, deps, caller, inputs);
  });
}

/** Refuses malformed rows, together with the errors of the other rows. */
export async function refuseMalformedRows(
  deps: ExtensionDeps,
  caller: Caller,
  rows: readonly unknown[],
  known: Fault[],
): Promise<void> {
  await inAccount(deps.db, caller.accountId, (tx) => refuseRows(tx, caller, rows, known));
}

async function refuseRows(tx: Tx, caller: Caller, rows: readonly unknown[], known: Fault[]): Promise<void> {
  const ramais = rows.map((row) => (row as { ramal?: unknown } | null)?.ramal);
  const wellFormed = ramais.filter((ramal) => typeof ramal === 'string' && /^\d{2,8}$/.test(ramal));
  const taken = await findTaken(tx, caller.accountId, wellFormed as string[]);
  const faults = [...known, ...faultsOfRows(rows, taken)].toSorted((a, b) => rowOf(a) - rowOf(b));
  if (faults.length === 0) return;
  const count = new Set(faults.map(rowOf)).size;
  throw new Refusal('VALIDATION_ERROR', `${count} of ${rows.length} rows are invalid; none was created.`, {
    details: faults,
  });
}

const rowOf = ({ path }: Fault): number => Number(path.split('.')[1] ?? 0);
