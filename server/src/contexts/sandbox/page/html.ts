/** Text that is already HTML. All other text is escaped. */
export interface Html {
  readonly markup: string;
}

type Value = string | number | Html | readonly Html[] | undefined;

export const markup = (text: string): Html => ({ markup: text });

export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  const text = parts.map((part, at) => part + (at < values.length ? rendered(values[at]) : ''));
  return markup(text.join(''));
}

function rendered(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return 'markup' in value ? value.markup : value.map((each) => each.markup).join('');
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
