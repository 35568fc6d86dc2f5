import { expect, test } from 'vitest';
import { type Message, readMessages } from '../src/server-sent.ts';

async function read(...chunks: string[]): Promise<{ messages: Message[]; heard: number }> {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  let heard = 0;
  const onHeard = (): void => {
    heard += 1;
  };
  const messages: Message[] = [];
  for await (const message of readMessages(body, onHeard)) messages.push(message);
  return { messages, heard };
}

test('reads messages that end with LF or CRLF', async () => {
  const expected = [
    { id: '1', data: 'a' },
    { id: '2', data: 'b' },
  ];
  expect((await read('id: 1\ndata: a\n\nid: 2\ndata: b\n\n')).messages).toEqual(expected);
  expect((await read('id: 1\r\ndata: a\r\n\r\nid: 2\r\ndata: b\r\n\r\n')).messages).toEqual(expected);
});

test('joins multi-line data with LF', async () => {
  expect((await read('data: {\ndata:  "a": 1\ndata: }\n\n')).messages).toEqual([
    { id: undefined, data: '{\n "a": 1\n}' },
  ]);
  expect((await read('data: a\r\ndata: b\r\n\r\n')).messages).toEqual([{ id: undefined, data: 'a\nb' }]);
});

test('reads messages split at any byte', async () => {
  const text = 'id: 7\r\ndata: São\r\ndata: Paulo\r\n\r\n';
  for (let at = 1; at < text.length; at += 1)
    expect((await read(text.slice(0, at), text.slice(at))).messages).toEqual([
      { id: '7', data: 'São\nPaulo' },
    ]);
});

test('reads an id without data, and comments as empty messages', async () => {
  const { messages, heard } = await read('id: 9\n\n', ': keep-alive\n\n');
  expect(messages).toEqual([
    { id: '9', data: '' },
    { id: undefined, data: '' },
  ]);
  expect(heard).toBe(2);
});

test('drops an incomplete message at the end of the stream', async () => {
  expect((await read('data: a\n\ndata: b\n')).messages).toEqual([{ id: undefined, data: 'a' }]);
});

test('rejects a stream without line ends', async () => {
  await expect(read('x'.repeat(1_000_001))).rejects.toThrow(TypeError);
});
