const token = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** Returns a key that occurs twice in one object of valid JSON; JSON.parse silently keeps the last. */
export function repeatedKey(json: string): string | undefined {
  const open: Set<string>[] = [];
  let text = '';
  for (const [part] of json.matchAll(token)) {
    if (part === '{' || part === '[') open.push(new Set());
    else if (part === '}' || part === ']') open.pop();
    else if (part === ':') {
      const key = JSON.parse(text) as string;
      if (open.at(-1)?.has(key)) return key;
      open.at(-1)?.add(key);
    } else text = part;
  }
  return undefined;
}
