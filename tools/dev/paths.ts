import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** Folder of builds, shared by all platforms of this checkout. */
export const inBuilds = (...parts: string[]): string => join(root, '.dev', ...parts);

const stateDir = resolve(root, process.env.DISCA_STATE_DIR || '.dev');

/** Folder of all state of one platform. DISCA_STATE_DIR allows a second platform in the same checkout. */
export const inDev = (...parts: string[]): string => join(stateDir, ...parts);

export const logFileOf = (serviceName: string): string => inDev('logs', `${serviceName}.log`);
