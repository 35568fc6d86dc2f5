const failedChunks = new WeakSet<object>();

/** Collects failed chunk loads: after an upgrade the server no longer has the chunks of the previous build. */
window.addEventListener('vite:preloadError', ({ payload }) => {
  failedChunks.add(payload);
});

/** Reloads the page if the error is a chunk that no longer exists, unless a `beforeunload` handler prevents it during a call. */
export async function reloadIfStale(error: unknown): Promise<void> {
  if (typeof error !== 'object' || error === null || !failedChunks.has(error)) return;
  const confirmation = new Event('beforeunload', { cancelable: true });
  if (!window.dispatchEvent(confirmation)) return;
  const own = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  const page = await fetch('/', { headers: { Accept: 'text/html' }, cache: 'no-store' });
  if (own && page.ok && !(await page.text()).includes(own)) location.reload();
}
