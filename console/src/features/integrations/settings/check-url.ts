export type UrlFault = 'empty' | 'notUrl' | 'protocol' | 'https' | 'login' | 'port' | 'long' | 'private';

const longest = 2_000;

/** Validates a URL by the API's rules that need no network access. */
export function checkUrl(text: string, isLive: boolean): UrlFault | undefined {
  if (text === '') return 'empty';
  if (!URL.canParse(text)) return 'notUrl';
  if (text.length > longest) return 'long';
  const { protocol, username, password, port } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'protocol';
  if (username !== '' || password !== '') return 'login';
  if (port !== '' && !['80', '443'].includes(port) && Number(port) < 1024) return 'port';
  return isLive && protocol !== 'https:' ? 'https' : undefined;
}
