export interface Message {
  id: string | undefined;
  data: string;
}

/** Larger than any event; a stream with this much text and no line break is not from the service. */
const longestText = 1_000_000;

/** Parses server-sent events. An id without data is also a message: it updates the resume position. */
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
      if (rest.length > longestText) throw new TypeError('The stream does not contain server-sent events.');
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
