export interface Message {
  id: string | undefined;
  data: string;
}

/** More than any event takes; a stream that sends this much without an end of line is none of ours. */
const longestText = 1_000_000;

/** Reads server-sent events. An id without data is a message, too: it moves the place to resume from. */
export async function* readMessages(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onHeard: () => void,
): AsyncGenerator<Message, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onHeard();
      rest += value;
      if (rest.length > longestText) throw new TypeError('The stream is not one of server-sent events.');
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield messageOf(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function messageOf(block: string): Message {
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name === 'id') id = value;
    else if (name === 'data') data.push(value);
  }
  return { id, data: data.join('\n') };
}
