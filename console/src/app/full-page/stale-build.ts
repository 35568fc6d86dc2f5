const notCome = new WeakSet<object>();

/** Files that a screen is made of and that did not come: they are gone where a newer console has been installed. */
window.addEventListener('vite:preloadError', ({ payload }) => {
  notCome.add(payload);
});

/** Loads the page anew if what failed is gone for good. A page that asks before it is left, as during a call, stays. */
export async function reloadIfStale(error: unknown): Promise<void> {
  if (typeof error !== 'object' || error === null || !notCome.has(error)) return;
  const asking = new Event('beforeunload', { cancelable: true });
  if (!window.dispatchEvent(asking)) return;
  const own = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  const page = await fetch('/', { headers: { Accept: 'text/html' }, cache: 'no-store' });
  if (own && page.ok && !(await page.text()).includes(own)) location.reload();
}
