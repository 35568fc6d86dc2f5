/** Size limits of one filter, inclusive. */
export const bounds = {
  bytes: 4096,
  /** `where` is the first level; the contents of an `and` or `or` are one level deeper. */
  depth: 5,
  /** `{"gte": a, "lt": b}` counts as two conditions; an `inq`, a `between` or a containment as one. */
  conditions: 50,
  /** Values of an `inq` or a `nin`. */
  values: 100,
  offset: 1_000_000_000,
  /** For a filter in brackets: its parameters, and the brackets of each; more than the other bounds allow to use. */
  parameters: 500,
  brackets: 20,
} as const;
