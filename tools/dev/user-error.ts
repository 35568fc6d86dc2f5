/** An error that the user can fix; shown without a stack trace. */
export class UserError extends Error {}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
