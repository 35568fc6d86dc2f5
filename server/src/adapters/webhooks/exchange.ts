import type { Dispatcher, Pool } from 'undici';
import type { WebhookRequest } from '../../contexts/webhooks/index.ts';
import { Failure } from './failure.ts';

/** The progress of a request, for reporting timeouts. */
export interface Progress {
  address: string | null;
  status: number | null;
  isOver: boolean;
  /** Closes the connection of the running request. */
  cancel: ((reason: Error) => void) | undefined;
}

export interface Answer {
  status: number;
  /** The start of the response body. */
  excerpt: string | null;
}

const excerptBytes = 1024;

/** Posts one request and reads at most `maxBytes` of its response; if there is more, the connection is closed. */
export const exchange = (
  pool: Pool,
  path: string,
  { headers, body }: WebhookRequest,
  progress: Progress,
  maxBytes: number,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const handler = new Exchange(progress, maxBytes, resolve, reject);
    pool.dispatch({ method: 'POST', path, headers: { 'user-agent': agent, ...headers }, body }, handler);
  });

const agent = 'Disca-Webhooks/1';

/** Receives the events of undici's `dispatch`, without the streams and signals of its `request`. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #progress: Progress;
  readonly #maxBytes: number;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  #status = 0;
  #bytes = 0;
  #kept: Buffer[] | undefined;

  constructor(
    progress: Progress,
    maxBytes: number,
    resolve: (answer: Answer) => void,
    reject: (error: Error) => void,
  ) {
    this.#progress = progress;
    this.#maxBytes = maxBytes;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Called before the request is written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#progress.isOver) controller.abort(new Failure('timeout', 'The request has expired.'));
    else this.#progress.cancel = (reason) => controller.abort(reason);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // A final response follows an informational one.
    if (status < 200) return;
    this.#status = status;
    this.#progress.status = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#bytes < excerptBytes) {
      this.#kept ??= [];
      this.#kept.push(chunk.subarray(0, excerptBytes - this.#bytes));
    }
    this.#bytes += chunk.length;
    if (this.#bytes < this.#maxBytes) return;
    this.#finish();
    controller.abort(new Failure('connection_lost', 'The response is too long.'));
  }

  onResponseEnd(): void {
    this.#finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#progress.cancel = undefined;
    this.#reject(error);
  }

  #finish(): void {
    this.#progress.cancel = undefined;
    this.#resolve({ status: this.#status, excerpt: this.#kept ? asText(Buffer.concat(this.#kept)) : null });
  }
}

/** Decodes to text that PostgreSQL can store: invalid UTF-8 and NUL become replacement characters. */
const asText = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes, { stream: true }).replaceAll(/[^\P{Cc}\n\r\t]/gu, '\uFFFD');
