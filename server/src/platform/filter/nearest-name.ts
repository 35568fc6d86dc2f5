/** A name that differs by more than a third of its length is probably not a typo. */
const toleratedShare = 1 / 3;
const longestComparedName = 64;

/** Returns the most similar candidate, or undefined if none is similar. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > longestComparedName) return undefined;
  const lowerName = name.toLowerCase();
  let nearest: string | undefined;
  let nearestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = editDistance(lowerName, candidate.toLowerCase());
    if (distance < nearestDistance) [nearest, nearestDistance] = [candidate, distance];
  }
  const tolerated = Math.max(2, Math.ceil(name.length * toleratedShare));
  return nearest !== undefined && nearestDistance <= tolerated && nearestDistance < nearest.length
    ? nearest
    : undefined;
}

/** Returns "Unknown field `emial`. Did you mean `email`?", or all valid names if none is similar. */
export function unknownName(kind: string, name: string, candidates: Iterable<string>): string {
  const names = [...candidates];
  const nearest = nearestName(name, names);
  const shown = name.length > longestComparedName ? `${name.slice(0, longestComparedName)}…` : name;
  if (nearest !== undefined) return `Unknown ${kind} \`${shown}\`. Did you mean \`${nearest}\`?`;
  if (names.length === 0) return `Unknown ${kind} \`${shown}\`. None are supported here.`;
  return `Unknown ${kind} \`${shown}\`. Known: ${names.map((each) => `\`${each}\``).join(', ')}.`;
}

/** Levenshtein distance with transpositions: swapping two adjacent characters costs one. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(at(rows, i - 1, j) + 1, (row[j - 1] ?? 0) + 1, at(rows, i - 1, j - 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, at(rows, i - 2, j - 2) + 1);
      }
      row.push(best);
    }
    rows.push(row);
  }
  return at(rows, a.length, b.length);
}

const at = (rows: number[][], i: number, j: number) => rows[i]?.[j] ?? 0;
