import type { Dispatcher } from 'undici';

const excerptBytes = 1024;

/** Reads at most `maxBytes` of the response; if there is more, the connection is closed. */
export async function readAnswer(
  body: Dispatcher.ResponseData['body'],
  maxBytes: number,
): Promise<string | null> {
  const kept: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    body.on('data', (chunk: Buffer) => {
      if (bytes < excerptBytes) kept.push(chunk.subarray(0, excerptBytes - bytes));
      bytes += chunk.length;
      if (bytes < maxBytes) return;
      resolve();
      body.destroy();
    });
    body.once('end', resolve);
    body.on('error', reject);
  });
  return bytes === 0 ? null : asText(Buffer.concat(kept));
}

/** Decodes to text that PostgreSQL can store: invalid UTF-8 and NUL become replacement characters. */
const asText = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes, { stream: true }).replaceAll(/[^\P{Cc}\n\r\t]/gu, '\uFFFD');
