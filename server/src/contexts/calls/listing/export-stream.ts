import { Readable } from 'node:stream';

/** How long a client may read nothing. A client that disappeared would otherwise keep its user's slot. */
const maxStallMs = 120_000;

/** Streams a file; `free` is called when nothing more is read from the database. */
export function streamFile(pieces: AsyncGenerator<string>, free: () => void, stallMs = maxStallMs): Readable {
  const stall = setTimeout(() => file.destroy(new Error('the client stopped reading')), stallMs);
  const file = Readable.from(watched(pieces, stall, free), { objectMode: false });
  // Also frees an export that ends before its first piece is read.
  file.once('close', () => {
    clearTimeout(stall);
    free();
  });
  return file;
}

/** Frees before the end of the file reaches the client, which may then start the next export at once. */
async function* watched(
  pieces: AsyncGenerator<string>,
  stall: NodeJS.Timeout,
  free: () => void,
): AsyncGenerator<string> {
  try {
    for await (const piece of pieces) {
      stall.refresh();
      yield piece;
    }
  } finally {
    free();
  }
}
