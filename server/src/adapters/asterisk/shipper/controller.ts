import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/** The voice processes, as seen by a media node's shipper. */
export interface Controller {
  sendRecords(lines: unknown[], isComplete: boolean): Promise<void>;
  /** Returns true if the file is stored or will never be needed. */
  sendRecording(callId: string, file: string): Promise<boolean>;
}

const timeoutMs = 30_000;
const outcome = z.object({ outcome: z.enum(['stored', 'known', 'refused', 'unexpected']) });

export function createController(options: { url: string; node: string; secret: string }): Controller {
  const authorization = `Basic ${Buffer.from(`${options.node}:${options.secret}`).toString('base64')}`;
  const send = (
    method: string,
    path: string,
    headers: Record<string, string | number>,
    body: Readable | string,
  ) => ask(new URL(path, options.url), method, { authorization, ...headers }, body);
  return {
    async sendRecords(lines, isComplete) {
      const body = JSON.stringify({ lines, isComplete });
      await send('POST', '/records', { 'content-type': 'application/json' }, body);
    },
    async sendRecording(callId, file) {
      const { size } = await stat(file);
      const headers = { 'content-type': 'audio/wav', 'content-length': size };
      const stream = createReadStream(file, { end: size - 1 });
      const answer = await send('PUT', `/recordings/${callId}`, headers, stream);
      return outcome.parse(JSON.parse(answer)).outcome !== 'unexpected';
    },
  };
}

async function ask(
  url: URL,
  method: string,
  headers: Record<string, string | number>,
  body: Readable | string,
): Promise<string> {
  return await new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, timeout: timeoutMs }, (response) => {
      text(response).then((answer) => {
        const status = response.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve(answer);
        else reject(new Error(`${method} ${url.pathname} returned ${status}.`));
      }, reject);
    });
    sent.on('timeout', () => sent.destroy(new Error(`${method} ${url.pathname} timed out.`)));
    sent.on('error', reject);
    if (typeof body === 'string') sent.end(body);
    else body.on('error', reject).pipe(sent);
  });
}
