import { join, resolve } from 'node:path';

/** The checkout that this launcher belongs to. */
export const root = resolve(import.meta.dirname, '../..');

/** What is built from the sources, and serves every platform of this checkout. */
export const inBuilds = (...parts: string[]): string => join(root, '.dev', ...parts);

const stateDir = resolve(root, process.env.DISCA_STATE_DIR || '.dev');

/** All state of a platform lives here, so that two never meet. DISCA_STATE_DIR makes room for another one. */
export const inDev = (...parts: string[]): string => join(stateDir, ...parts);

export const logFileOf = (serviceName: string): string => inDev('logs', `${serviceName}.log`);
