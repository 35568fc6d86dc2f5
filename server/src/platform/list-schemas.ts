import { z } from 'zod';

/** Query parameters and responses that lists share. */

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);

const filter = z.string().optional().meta({
  description:
    'A JSON object: `where`, `order`, `limit`, `offset` or `skip`, `fields`, `include`. Also in brackets, as in `filter[where][id]=1`.',
  'x-kind': 'filter',
});

export const arrayQuery = z.strictObject({
  filter,
  limit: wholeNumber.optional().meta({
    description: 'From 1; at most 1,000 items are returned, which is also the default.',
    'x-kind': 'limit',
  }),
  offset: wholeNumber.optional().meta({ description: 'Number of items to skip.', 'x-kind': 'offset' }),
});
export type ArrayQuery = z.output<typeof arrayQuery>;

const pageNumber = wholeNumber
  .refine((page) => page >= 1, { error: 'must be 1 or more' })
  .meta({ description: 'Page number, starting at 1.', examples: ['1'], 'x-kind': 'page' });

const cursorText = z.string().min(1).max(4096).optional();

/** Requires `page` or `cursor`, not both. */
export const pageQuery = z
  .strictObject({
    filter,
    page: pageNumber.optional(),
    cursor: cursorText.meta({
      description: 'The cursor of the previous page, instead of `page`.',
      'x-kind': 'cursor',
    }),
  })
  .refine(({ page, cursor }) => page !== undefined || cursor !== undefined, {
    path: ['page'],
    error: 'is required, unless `cursor` is given',
    params: { code: 'required' },
  })
  .refine(({ page, cursor }) => page === undefined || cursor === undefined, {
    path: ['cursor'],
    error: 'cannot be sent together with `page`',
  });
export type PageQuery = z.output<typeof pageQuery>;

const cursorOnly = cursorText.meta({
  description: 'The cursor of the previous page; omit it for the first page.',
  'x-kind': 'cursor',
});

/** For lists that are read by cursor only. */
export const cursorQuery = z.strictObject({ filter, cursor: cursorOnly });
export type CursorQuery = z.output<typeof cursorQuery>;

const searchText = z
  .string()
  .max(200)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), { error: 'must not contain NUL' })
  .optional();

const callSearchText = searchText.meta({
  description:
    'Words to search for, at most 8. Every word must be the beginning of a word of the call: of a name, e-mail address, telephone number in any notation, or metadata value. Case and accents are ignored. The id of a call finds the call.',
  examples: ['ana 11 98765-4321'],
});

/** For lists that can also be searched by words. */
export const searchQuery = z.strictObject({ q: callSearchText, filter, cursor: cursorOnly });
export type SearchQuery = z.output<typeof searchQuery>;

/** For lists without pages. */
export const searchedFilterQuery = z.strictObject({ q: callSearchText, filter });

/** The same for other lists than calls, which describe what is searched. */
export const searchQueryOf = (description: string, example: string) =>
  z.strictObject({
    q: searchText.meta({ description, examples: [example] }),
    filter,
    cursor: cursorOnly,
  });

/** Items may be partial, because `filter.fields` limits the fields returned. `name` is that of an item. */
export const arrayOf = <Shape extends z.ZodRawShape>(item: z.ZodObject<Shape>, name: string) =>
  z
    .array(item.partial().meta({ id: name }))
    .meta({ description: 'The items; `X-Total-Count` is the total number of matches.' });

const count = z.int().min(0);

const pageMeta = z
  .object({
    totalItemCount: count.optional(),
    totalPageCount: count.optional(),
    itemsPerPage: count,
    currentPage: count.optional(),
    nextPage: count.optional().meta({ description: 'Present only if there is a next page.' }),
    previousPage: count.optional().meta({ description: 'Present only if there is a previous page.' }),
    nextCursor: z.string().optional().meta({ description: 'Present on cursor pages if more items follow.' }),
  })
  .meta({ id: 'PageMeta' });

/** A page of `CallRecord` is named `CallPage`. */
export const pageOf = <Shape extends z.ZodRawShape>(item: z.ZodObject<Shape>, name: string) =>
  z
    .object({ data: z.array(item.partial().meta({ id: name })), meta: pageMeta })
    .meta({ id: `${name.replace(/Record$/, '')}Page` });

/** Response headers of a page. */
export function pageHeaders(
  url: string,
  { isEstimated, nextCursor }: { isEstimated: boolean; nextCursor: string | undefined },
): Record<string, string> {
  return {
    ...(isEstimated && { 'X-Total-Estimated': 'true' }),
    ...(nextCursor && { Link: nextLink(url, nextCursor) }),
  };
}

/** Returns the Link header for the next page, with the same filter. */
function nextLink(url: string, cursor: string): string {
  const { pathname, searchParams } = new URL(url, 'http://any');
  searchParams.delete('page');
  searchParams.set('cursor', cursor);
  return `<${pathname}?${searchParams}>; rel="next"`;
}
