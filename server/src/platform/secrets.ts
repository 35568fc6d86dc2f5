export const secretKeys = [
  'authorization',
  'x-access-token',
  'password',
  'oldPassword',
  'newPassword',
  'senha',
  'token',
  'secret',
  'cookie',
];
export const hidden = '[redacted]';
const inAnyCase = new Set(secretKeys.map((key) => key.toLowerCase()));
const deepest = 8;

/** Returns the value with all secrets redacted. Parts without secrets are not copied. */
export function withoutSecrets<T>(value: T): T {
  return cover(value, deepest) as T;
}

function cover(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || ArrayBuffer.isView(value)) {
    return value;
  }
  if (levels === 0) return '[too deep]';
  let copy: Record<string, unknown> | undefined;
  const fields = value as Record<string, unknown>;
  for (const key of Object.keys(fields)) {
    const child = fields[key];
    const covered = inAnyCase.has(key.toLowerCase()) ? hidden : cover(child, levels - 1);
    if (covered === child) continue;
    copy ??= shallowCopy(fields);
    copy[key] = covered;
  }
  return copy ?? value;
}

const shallowCopy = (value: object) =>
  (Array.isArray(value) ? Object.assign([], value) : { ...value }) as Record<string, unknown>;
