/** A placeholder in a generated request for a value known only at run time, such as the id of a user. */
export class Reference {
  readonly kind: string;
  readonly pick: number;

  constructor(kind: string, pick: number) {
    this.kind = kind;
    this.pick = pick;
  }
}

/** Returns the value with every reference replaced. */
export function resolve(value: unknown, lookUp: (reference: Reference) => unknown): unknown {
  if (value instanceof Reference) return lookUp(value);
  if (Array.isArray(value)) return value.map((each) => resolve(each, lookUp));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolve(each, lookUp)]));
}
