/** Connections of a process to PostgreSQL besides DATABASE_POOL_SIZE, each opened on demand. */

/** For statements that may take minutes. */
export const longQueryConnections = 1;

/** For exports of calls in api, which would otherwise hold the connections of other requests. */
export const exportConnections = 4;
