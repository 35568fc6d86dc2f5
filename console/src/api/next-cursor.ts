/** Returns the cursor of the next page from the `Link` header of a page. */
export function nextCursor(headers: Headers): string | undefined {
  const [, target] = /<([^>]+)>; rel="next"/.exec(headers.get('Link') ?? '') ?? [];
  if (target === undefined) return undefined;
  return new URL(target, location.origin).searchParams.get('cursor') ?? undefined;
}
