/** Bytes; proxies limit the size of all headers together. */
const longest = 1_024;
const more = '...';

/** Lists names for the header `Disca-Ignored`, percent-encoded; names that do not fit are replaced by three dots. */
export function nameIgnored(names: readonly string[]): string {
  let text = '';
  for (const [index, name] of names.entries()) {
    const next = text + (text && ', ') + encodeURIComponent(name.toWellFormed());
    const isLast = index === names.length - 1;
    if (next.length + (isLast ? 0 : `, ${more}`.length) > longest) return text ? `${text}, ${more}` : more;
    text = next;
  }
  return text;
}
