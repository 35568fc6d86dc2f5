import type { Filter } from '../view.ts';

const maxRamalDigits = 5;
const minFullNumberDigits = 12;

/** Derives filters from search text: an id, email, extension, phone number or name. */
export function quickSearchFilters(text: string): Filter[] {
  const typed = text.trim();
  if (typed === '') return [];
  const is = (name: string): Filter[] => [{ name, operator: 'is', value: typed }];
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(typed)) return is('id');
  if (typed.includes('@')) return is('email');
  if (/^[\d\s()+.-]+$/.test(typed)) {
    // Stored numbers have no 0 before the area code.
    const value = typed.replaceAll(/\D/g, '').replace(/^0(?=\d{10})/, '');
    if (value === '') return [];
    if (value.length <= maxRamalDigits) return [{ name: 'extension', operator: 'is', value }];
    return [{ name: 'phone', operator: value.length >= minFullNumberDigits ? 'is' : 'ends', value }];
  }
  const [first = '', ...rest] = typed.split(/\s+/);
  const last = rest.join(' ');
  return [
    { name: 'first_name', operator: 'contains', value: first },
    ...(last ? [{ name: 'last_name', operator: 'contains' as const, value: last }] : []),
  ];
}
