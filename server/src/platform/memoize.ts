/** Memoizes a pure function for up to `maxKeys` keys; clears the cache when it is full. */
export function memoize<Value>(maxKeys: number, find: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = find(key);
    if (known.size >= maxKeys) known.clear();
    known.set(key, found);
    return found;
  };
}
