/** What one filter may ask for. A filter at a bound is served, one above it is refused. */
export const bounds = {
  bytes: 4096,
  /** `where` is the first level; what stands inside an `and` or an `or` is one level deeper. */
  depth: 5,
  /** `{"gte": a, "lt": b}` are two conditions; an `inq`, a `between` or a containment is one. */
  conditions: 50,
  /** Values of an `inq` or a `nin`. */
  values: 100,
  offset: 1_000_000_000,
} as const;
