import type { Definition } from '../../server/src/platform/db/definition-files.ts';
import {
  calledFunctions,
  nameOf,
  parseStatements,
  relationName,
  type SqlStatement,
  treesOf,
} from './parse.ts';

/** An object that a file defines: its identity without a function's arguments, as in `function edge.announce`. */
export interface DefinedObject {
  identity: string;
  file: string;
}

const qualified = (name: string): string => (name.includes('.') ? name : `public.${name}`);

function objectOf({ kind, fields }: SqlStatement): string | undefined {
  const table = (relation: unknown): string =>
    qualified(relationName(relation as Parameters<typeof relationName>[0]));
  switch (kind) {
    case 'CreateFunctionStmt':
      return `function ${qualified(nameOf(fields.funcname))}`;
    case 'ViewStmt':
      return `view ${table(fields.view)}`;
    case 'CreateTrigStmt':
      return `trigger ${fields.trigname as string} on ${table(fields.relation)}`;
    case 'CreatePolicyStmt':
      return `policy ${fields.policy_name as string} on ${table(fields.table)}`;
    case 'AlterTableStmt':
      return alters(fields, 'AT_EnableRowSecurity') ? `row security of ${table(fields.relation)}` : undefined;
    default:
      return undefined;
  }
}

const alters = (fields: SqlStatement['fields'], subtype: string): boolean =>
  (fields.cmds as { AlterTableCmd: { subtype: string } }[]).some(
    ({ AlterTableCmd }) => AlterTableCmd.subtype === subtype,
  );

/** Returns everything that the files define. */
export const definedObjects = (files: Definition[]): DefinedObject[] =>
  files.flatMap(({ name, text }) =>
    parseStatements(text).flatMap((statement) => {
      const identity = objectOf(statement);
      return identity ? [{ identity, file: name }] : [];
    }),
  );

/** Returns the file of each function, by its name as a call spells it. */
function filesOfFunctions(files: Definition[]): Map<string, string> {
  const functions = definedObjects(files).filter(({ identity }) => identity.startsWith('function '));
  return new Map(
    functions.map(({ identity, file }) => [identity.replace(/^function (public\.)?/, ''), file]),
  );
}

const repeatable = new Set(['GrantStmt', 'DropStmt', 'AlterTableStmt']);

/** Returns the errors in the files: their folder, name, contents and requirements. */
export function checkDefinitions(files: Definition[], contexts: string[]): string[] {
  const fileOf = filesOfFunctions(files);
  return files.flatMap((file) => {
    const [folder = '', base = ''] = file.name.split('/');
    const statements = parseStatements(file.text);
    const objects = statements.flatMap((statement) => objectOf(statement) ?? []);
    const called = calledFunctions(statements.flatMap(treesOf));
    const needed = [...called].flatMap((name) => fileOf.get(name) ?? []).filter((name) => name !== file.name);
    const required = new Set(file.requires);
    return [
      ...(contexts.includes(folder) ? [] : [`${folder} is not a context.`]),
      ...(file.text.startsWith('-- ') ? [] : ['It must start with a comment.']),
      ...faultsOfContent(base, objects),
      ...statements.filter(isNotRepeatable).map(({ kind }) => `${kind} cannot be applied twice.`),
      ...[...new Set(needed)].filter((name) => !required.has(name)).map((name) => `It must require ${name}.`),
      ...[...required].filter((name) => !needed.includes(name)).map((name) => `It does not use ${name}.`),
    ].map((fault) => `server/sql/${file.name}.sql: ${fault}`);
  });
}

/**
 * Checks that a file contains one function with its triggers, one view, or the policies of one table, and is named
 * after it.
 */
function faultsOfContent(base: string, objects: string[]): string[] {
  const main = objects.filter((identity) => /^(function|view) /.test(identity));
  if (base.endsWith('.policies')) {
    const table = base.slice(0, -'.policies'.length);
    const others = objects.filter(
      (identity) => !new RegExp(`^(policy|row security) .*\\.${table}$`).test(identity),
    );
    return others.map((identity) => `${identity} does not belong here.`);
  }
  if (main.length !== 1) return [`It defines ${main.length} functions and views instead of one.`];
  return main[0]?.endsWith(`.${base}`) ? [] : [`It defines ${main[0]}, so the file must have that name.`];
}

function isNotRepeatable({ kind, fields }: SqlStatement): boolean {
  if (kind === 'CreatePolicyStmt') return false;
  return fields.replace !== true && !repeatable.has(kind);
}

const definitionKinds = new Set([
  'CreateFunctionStmt',
  'AlterFunctionStmt',
  'ViewStmt',
  'CreateTrigStmt',
  'CreatePolicyStmt',
  'AlterPolicyStmt',
]);
const droppedKinds = new Set(['OBJECT_FUNCTION', 'OBJECT_VIEW', 'OBJECT_TRIGGER', 'OBJECT_POLICY']);

/** The last migration that may define functions. */
const lastWithDefinitions = '0032';

/** Checks that later migrations contain only tables and data, and neither define nor call objects of server/sql. */
export function checkMigrations(migrations: { name: string; text: string }[], files: Definition[]): string[] {
  const functions = [...filesOfFunctions(files).keys()];
  const later = migrations.filter(({ name }) => name.slice(0, 4) > lastWithDefinitions);
  return later.flatMap(({ name, text }) =>
    parseStatements(text)
      .flatMap((statement) => faultsOfMigration(statement, functions))
      .map((fault) => `server/migrations/${name}: ${fault}`),
  );
}

function faultsOfMigration(statement: SqlStatement, functions: string[]): string[] {
  const { kind, fields } = statement;
  const isDefinition =
    definitionKinds.has(kind) ||
    (kind === 'DropStmt' && droppedKinds.has(fields.removeType as string)) ||
    (kind === 'GrantStmt' && fields.objtype === 'OBJECT_FUNCTION') ||
    (kind === 'AlterTableStmt' && alters(fields, 'AT_EnableRowSecurity'));
  const called = calledFunctions([fields]);
  // The body of a DO block is a string, so it is searched as text.
  const block = kind === 'DoStmt' ? statement.text : '';
  return [
    ...(isDefinition ? [`${kind} belongs to server/sql.`] : []),
    ...functions
      .filter((name) => called.has(name) || new RegExp(`\\b${name}\\s*\\(`).test(block))
      .map((name) => `It calls ${name}, whose definition may change later.`),
  ];
}
