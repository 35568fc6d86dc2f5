/** PostgreSQL's own parser. Declared here, because only these functions are used, on trees of any shape. */
declare module 'libpg-query' {
  export function loadModule(): Promise<void>;
  export function parseSync(query: string): object;
  export function parsePlPgSQLSync(query: string): object;
}
