/** Something the person at the keyboard can understand and mend; shown without a stack. */
export class DevFault extends Error {}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
