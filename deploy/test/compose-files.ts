import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../tools/dev/paths.ts';

export interface ComposeService {
  image?: string;
  profiles?: string[];
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  ports?: string[];
  networks?: string[];
  [key: string]: unknown;
}

export interface ComposeConfiguration {
  services: Record<string, ComposeService>;
  secrets: Record<string, { file: string }>;
}

const folder = join(root, 'deploy/compose');
export const readCompose = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** Returns the settings of .env.example. */
export const exampleSettings = (): Record<string, string> =>
  Object.fromEntries(
    [...readCompose('.env.example').matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) => [
      name ?? '',
      value ?? '',
    ]),
  );

/** Returns what Compose makes of these settings: the files of COMPOSE_FILE, merged, with their variables replaced. */
export function renderCompose(settings: Record<string, string>): ComposeConfiguration {
  const files = (settings.COMPOSE_FILE ?? 'compose.yml').split(':');
  const contents = files.map((file) => parse(readCompose(file), { merge: true }) as unknown);
  return replaceIn(contents.reduce(mergeOver), settings) as ComposeConfiguration;
}

function replaceIn(value: unknown, settings: Record<string, string>): unknown {
  if (typeof value === 'string') return withValues(value, settings);
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, settings));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceIn(item, settings)]));
}

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?error}`. */
function withValues(text: string, settings: Record<string, string>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, name: string, kind?: string, rest = '') => {
    const value = settings[name] ?? '';
    if (value === '' && kind === '?') throw new Error(`${name}: ${rest}`);
    return value === '' && kind === '-' ? rest : value;
  });
}

function mergeOver(base: unknown, over: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(over)) return [...base, ...over];
  if (!isMap(base) || !isMap(over)) return over;
  const merged = Object.entries(over).map(([key, value]) => [
    key,
    key in base ? mergeOver(base[key], value) : value,
  ]);
  return { ...base, ...Object.fromEntries(merged) };
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
