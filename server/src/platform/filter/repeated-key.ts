const token = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** Returns a key that occurs twice in one object of valid JSON; JSON.parse silently keeps the last. */
export function repeatedKey(json: string): string | undefined {
  const open: Set<string>[] = [];
  let text = '';
  for (const [found] of json.matchAll(token)) {
    if (found === '{' || found === '[') open.push(new Set());
    else if (found === '}' || found === ']') open.pop();
    else if (found === ':') {
      const key = JSON.parse(text) as string;
      if (open.at(-1)?.has(key)) return key;
      open.at(-1)?.add(key);
    } else text = found;
  }
  return undefined;
}
