import { join, resolve } from 'node:path';

/** The checkout that this launcher belongs to. */
export const root = resolve(import.meta.dirname, '../..');

/** All state of this checkout lives here, so that two checkouts never meet. */
export const inDev = (...parts: string[]): string => join(root, '.dev', ...parts);

export const logFileOf = (serviceName: string): string => inDev('logs', `${serviceName}.log`);
