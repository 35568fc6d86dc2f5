type Value = string | number | boolean | null;
/** A moment may be given as a Date. */
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
      /** `%` and `_` are wildcards, and the case counts; not in ilike and nilike. */
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
  /** Only these fields are answered. */
  fields?: Field[] | undefined;
  include?: Include[] | undefined;
  /** How many items a request fetches; the iterator goes on to the next by itself. */
  pageSize?: number | undefined;
}

/** What every list understands, whatever it holds. */
export interface Paged {
  pageSize?: number | undefined;
}

/** The filter as the API reads it. */
export function filterText(query: Paged, more: object = {}): string | undefined {
  const { pageSize, ...rest } = query;
  const limit = pageSize === undefined ? {} : { limit: pageSize };
  const filter = Object.entries({ ...rest, ...limit, ...more }).filter(([, value]) => value !== undefined);
  return filter.length === 0 ? undefined : JSON.stringify(Object.fromEntries(filter));
}
