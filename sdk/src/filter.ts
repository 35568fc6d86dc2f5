type Value = string | number | boolean | null;
/** Times may be given as Date. */
type Comparable<V> = V extends string ? V | Date : V;

export type Condition<V> =
  | Comparable<V>
  | {
      eq?: Comparable<V>;
      neq?: Comparable<V>;
      gt?: Comparable<V>;
      gte?: Comparable<V>;
      lt?: Comparable<V>;
      lte?: Comparable<V>;
      between?: [Comparable<V>, Comparable<V>];
      inq?: Comparable<V>[];
      nin?: Comparable<V>[];
      exists?: boolean;
      /** `%` and `_` are wildcards; case-sensitive, unlike ilike and nilike. */
      like?: string;
      nlike?: string;
      ilike?: string;
      nilike?: string;
    };

export type Where<Item> = { [Name in keyof Item]?: Condition<Exclude<Item[Name], undefined>> } & {
  [name: `metadata.${string}`]: Condition<Value>;
} & { and?: Where<Item>[]; or?: Where<Item>[] };

type Direction = 'ASC' | 'DESC';
type Order<Item> = `${keyof Item & string}` | `${keyof Item & string} ${Direction}`;

export interface ListQuery<Item, Field extends keyof Item = keyof Item, Include extends string = never> {
  where?: Where<Item> | undefined;
  order?: Order<Item> | Order<Item>[] | undefined;
  /** Fields to return. */
  fields?: Field[] | undefined;
  include?: Include[] | undefined;
  /** Items per request; the iterator fetches further pages automatically. */
  pageSize?: number | undefined;
}

/** Options of every list. */
export interface Paged {
  pageSize?: number | undefined;
}

/** Encodes the filter for the API. */
export function filterText(query: Paged, more: object = {}): string | undefined {
  const { pageSize, ...rest } = query;
  const limit = pageSize === undefined ? {} : { limit: pageSize };
  const filter = Object.entries({ ...rest, ...limit, ...more }).filter(([, value]) => value !== undefined);
  return filter.length === 0 ? undefined : JSON.stringify(Object.fromEntries(filter));
}
