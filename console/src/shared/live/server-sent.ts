/** One message of a stream of server-sent events. One without data only moves the place to resume from. */
export interface Message {
  id: string | undefined;
  data: string | undefined;
}

/** Reads messages out of the pieces in which a stream arrives. */
export async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const blocks = `${rest}${piece.value}`.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield parseMessage(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseMessage(block: string): Message {
  const fields = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line));
  const field = (name: string) => fields.find((each) => each?.[1] === name)?.[2];
  return { id: field('id'), data: field('data') };
}
