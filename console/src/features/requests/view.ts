export const selections = ['errors', 'writes', 'ignored'] as const;
type Selection = (typeof selections)[number];

/** State of the screen, stored in the URL so that it can be shared. */
export interface RequestsView {
  show?: Selection;
  /** Request id to find. */
  request?: string;
}

/** The longest request id that the API accepts. */
export const longestId = 64;

/** Removes invalid search parameters. A request id of digits only arrives as a number. */
export function validateSearch({ show, request }: Record<string, unknown>): RequestsView {
  const selection = selections.find((each) => each === show);
  const text = typeof request === 'string' || typeof request === 'number' ? String(request).trim() : '';
  return {
    ...(selection && { show: selection }),
    ...(text !== '' && text.length <= longestId && { request: text }),
  };
}

const conditions: Record<Selection, object> = {
  errors: { status: { gte: 400 } },
  writes: { method: { nin: ['GET', 'HEAD', 'OPTIONS'] } },
  ignored: { ignoredFields: { neq: null } },
};

export const toWhere = ({ show, request }: RequestsView): object => ({
  ...(show && conditions[show]),
  ...(request && { requestId: request }),
});
