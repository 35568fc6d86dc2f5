const maxBytes = 16 * 1024;
const maxKeys = 50;
const maxLevels = 5;

/** Returns what is wrong with a client's metadata; undefined if nothing. */
export function faultOfMetadata(metadata: Record<string, unknown>): string | undefined {
  if (countKeys(metadata) > maxKeys) return `must have at most ${maxKeys} keys`;
  if (countLevels(metadata) > maxLevels) return `must be at most ${maxLevels} levels deep`;
  if (Buffer.byteLength(JSON.stringify(metadata)) > maxBytes) return 'must be at most 16 kB';
  return hasUnstorableText(metadata)
    ? 'must not contain control characters that cannot be stored'
    : undefined;
}

const countKeys = (value: unknown): number =>
  isObject(value)
    ? Object.values(value).reduce<number>((sum, each) => sum + countKeys(each), sizeOf(value))
    : 0;

const sizeOf = (value: object): number => (Array.isArray(value) ? 0 : Object.keys(value).length);

const countLevels = (value: unknown): number =>
  isObject(value)
    ? 1 + Object.values(value).reduce<number>((max, each) => Math.max(max, countLevels(each)), 0)
    : 0;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Tests for text that PostgreSQL's JSON does not accept: NUL or unpaired surrogates. */
const hasUnstorableText = (value: unknown): boolean => {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, each]) => hasUnstorableText(key) || hasUnstorableText(each));
};
