/** Reasons of absence that were used in this browser, newest first. */
const key = 'disca.away-reasons';
const most = 3;

export function recentReasons(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string').slice(0, most) : [];
  } catch {
    return [];
  }
}

export function rememberReason(reason: string): void {
  const reasons = [reason, ...recentReasons().filter((each) => each !== reason)].slice(0, most);
  localStorage.setItem(key, JSON.stringify(reasons));
}
