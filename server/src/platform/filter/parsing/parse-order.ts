import type { Faults } from '../faults.ts';
import type { List, Order } from '../list.ts';
import { unknownName } from '../nearest-name.ts';

const orderPattern = /^\s*(\S+)(?:\s+(asc|desc))?\s*$/i;

/** Returns the columns to sort by, always with the tie-breaker last, so that every order is total. */
export function parseOrder(list: List, faults: Faults, value: unknown, path: string): Order[] {
  const given = value === undefined ? list.defaultOrder : typeof value === 'string' ? [value] : value;
  if (!Array.isArray(given) || given.length === 0 || !given.every((each) => typeof each === 'string')) {
    faults.add(
      path,
      'INVALID_VALUE',
      `\`${path}\` must be a string such as "field DESC", or an array of them.`,
    );
    return [];
  }
  const orders: NamedOrder[] = [];
  for (const each of given) {
    const order = parseOne(list, faults, each, path);
    if (order === undefined) continue;
    const earlier = orders.find(({ column }) => column === order.column);
    if (earlier === undefined) orders.push(order);
    else refuseContradiction(faults, path, earlier, order);
  }
  return endWithTieBreaker(
    list,
    orders.map(({ name: _, ...order }) => order),
  );
}

type NamedOrder = Order & { name: string };

/**
 * Two fields may have one column: in the same direction the second adds nothing, in the other direction the two
 * contradict.
 */
function refuseContradiction(faults: Faults, path: string, earlier: NamedOrder, later: NamedOrder): void {
  if (earlier.name === later.name) {
    faults.add(path, 'GIVEN_TWICE', `\`${path}\` names a field twice: \`${later.name}\`.`);
  } else if (earlier.descending !== later.descending) {
    const message = `This list sorts \`${later.name}\` only in the direction of \`${earlier.name}\`.`;
    faults.add(path, 'NOT_SORTABLE', message);
  }
}

function parseOne(list: List, faults: Faults, text: string, path: string): NamedOrder | undefined {
  const match = orderPattern.exec(text);
  if (match?.[1] === undefined) {
    return faults.add(
      path,
      'INVALID_VALUE',
      `\`${path}\` must have the form "field DESC", not "${text.slice(0, 64)}".`,
    );
  }
  const field = list.fieldsByName.get(match[1]);
  const sortable = [...list.fieldsByName].filter(([, each]) => each.sortable).map(([name]) => name);
  if (field === undefined) return faults.add(path, 'UNKNOWN_FIELD', unknownName('field', match[1], sortable));
  if (field.sortable !== true) {
    const message = `This list cannot be sorted by \`${match[1]}\`, only by ${sortable.join(', ')}.`;
    return faults.add(path, 'NOT_SORTABLE', message);
  }
  const descending = match[2]?.toLowerCase() === 'desc';
  if (field.sortColumn === undefined || field.sortColumn === field.column) {
    const { name, column, type, nullable = false, sortWindowDays } = field;
    const window = sortWindowDays === undefined ? {} : { windowDays: sortWindowDays };
    return { name, column, type, nullable, descending, ...window };
  }
  const other = [...list.fields.values()].find(({ column }) => column === field.sortColumn);
  const type = other?.type ?? field.type;
  return { name: field.name, column: field.sortColumn, type, nullable: false, descending };
}

/** The tie-breaker has the direction of the last column, so that one index serves both directions. */
function endWithTieBreaker(list: List, orders: Order[]): Order[] {
  const { column, type } = list.tieBreaker;
  const end = orders.findIndex((order) => order.column === column);
  if (end >= 0) return orders.slice(0, end + 1);
  return [...orders, { column, type, nullable: false, descending: orders.at(-1)?.descending ?? false }];
}
