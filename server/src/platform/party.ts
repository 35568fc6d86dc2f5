/** Who is called, as far as the metadata of a call says. */
export interface Party {
  name: string | undefined;
  deal: string | undefined;
}

const squeeze = (field: string): string => field.toLowerCase().replaceAll(/[\s_.-]/g, '');

/** Names of metadata fields, in order of preference; compared without separators and capitals. */
const nameFields = [
  ...['name', 'nome', 'contact name', 'nome contato', 'customer name', 'nome cliente', 'client name'],
  ...['lead name', 'contact', 'contato', 'customer', 'cliente', 'client', 'lead', 'person', 'pessoa'],
].map(squeeze);
const dealFields = [
  ...['deal name', 'deal title', 'deal', 'deal id', 'negocio', 'negócio', 'opportunity', 'oportunidade'],
  ...['ticket', 'pedido', 'order', 'protocolo'],
].map(squeeze);
const maxLength = 80;

/** Reads who is called from the metadata of a call, whose fields each CRM names differently. */
export function partyOf(metadata: Record<string, unknown>): Party | undefined {
  const name = firstText(metadata, nameFields);
  const deal = firstText(metadata, dealFields);
  return name === undefined && deal === undefined ? undefined : { name, deal };
}

function firstText(metadata: Record<string, unknown>, fields: readonly string[]): string | undefined {
  const values = new Map(Object.entries(metadata).map(([field, value]) => [squeeze(field), value]));
  for (const field of fields) {
    const text = textOf(values.get(field));
    if (text !== undefined) return text;
  }
  return undefined;
}

/** A contact may be an object with a name. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value.trim().slice(0, maxLength) || undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, nome, title } = value as Record<string, unknown>;
  const inner = name ?? nome ?? title;
  return typeof inner === 'string' ? textOf(inner) : undefined;
}
