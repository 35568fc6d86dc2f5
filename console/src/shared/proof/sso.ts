/** What the window that went to the identity provider reports to the page that opened it. */
export type SsoReport = { isDone: true; email: string } | { isDone: false; reason: string };

const channelName = 'disca-sso';
const nextKey = 'disca-sso-next';

/** Keeps the path to open after a login, while the browser is at the provider. */
export const keepNext = (next: string | undefined): void => {
  if (next === undefined) sessionStorage.removeItem(nextKey);
  else sessionStorage.setItem(nextKey, next);
};

export const takeNext = (): string | undefined => {
  const next = sessionStorage.getItem(nextKey) ?? undefined;
  sessionStorage.removeItem(nextKey);
  return next;
};

export function reportSso(report: SsoReport): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(report);
  channel.close();
}

/**
 * Opens the identity provider in a window and resolves with the report of the callback page. The window is opened before
 * the request for its address, because browsers block windows that open later.
 */
export function visitInWindow(addressOf: () => Promise<string>, signal: AbortSignal): Promise<SsoReport> {
  const opened = window.open('about:blank', 'disca-sso', 'popup,width=520,height=680');
  return new Promise((resolve, reject) => {
    const channel = new BroadcastChannel(channelName);
    signal.addEventListener('abort', () => channel.close());
    channel.onmessage = ({ data }: MessageEvent<SsoReport>) => {
      channel.close();
      resolve(data);
    };
    addressOf().then(
      (url) => {
        if (opened) opened.location.href = url;
        else reject(new Error('The window was blocked.'));
      },
      (error: unknown) => {
        opened?.close();
        channel.close();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}
