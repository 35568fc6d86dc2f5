import { versionPrefix } from '../version.ts';

/**
 * Removes the trailing slash of an API path; pages keep theirs, because relative links depend on it. Routes a URL that
 * cannot be decoded to the ordinary 404, with rate limit and log line.
 */
export function rewriteUrl({ url = '/' }: { url?: string | undefined }): string {
  const [path = '', ...query] = url.split('?');
  const isApi = path.startsWith(`${versionPrefix}/`);
  if (path.includes('%') && !isDecodable(path))
    return isApi ? `${versionPrefix}/undecodable` : '/undecodable';
  return isApi && path.endsWith('/') ? [path.slice(0, -1), ...query].join('?') : url;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
