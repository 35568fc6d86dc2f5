/** Memoizes a pure function for up to `maxKeys` keys; clears the cache when it is full. */
export function memoize<Value>(maxKeys: number, find: (key: string) => Value): (key: string) => Value {
  const cache = new Map<string, Value>();
  return (key) => {
    const before = cache.get(key);
    if (before !== undefined) return before;
    const value = find(key);
    if (cache.size >= maxKeys) cache.clear();
    cache.set(key, value);
    return value;
  };
}
