/** Returns the browser of a request, for the list of sessions. */
export const deviceOf = ({ 'user-agent': agent }: { 'user-agent'?: string | undefined }): string =>
  (agent ?? '').slice(0, 300);
