const token = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** A key that one object of the valid JSON text has twice: parsing keeps only the last and says nothing. */
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
