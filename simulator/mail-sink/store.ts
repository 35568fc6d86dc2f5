import { mkdir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SinkMessage } from './message.ts';

export const keptMessages = 1_000;

/** Stores messages as one JSON file each. All are held in memory: there are at most a thousand. */
export interface MessageStore {
  add(message: SinkMessage): Promise<void>;
  /** Newest first; with an address, only mails sent to it. */
  list(to?: string): SinkMessage[];
  find(id: string): SinkMessage | undefined;
}

export async function openMessageStore(dir: string): Promise<MessageStore> {
  // Mails contain login links, so other users of the machine must not read them.
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const newestFirst = await readMessages(dir);
  await dropOldest();

  async function dropOldest() {
    const dropped = newestFirst.splice(keptMessages);
    await Promise.all(dropped.map((message) => unlink(fileOf(dir, message.id))));
  }

  return {
    async add(message) {
      const file = fileOf(dir, message.id);
      await writeFile(`${file}.part`, JSON.stringify(message, null, 2), { mode: 0o600 });
      await rename(`${file}.part`, file);
      newestFirst.unshift(message);
      await dropOldest();
    },
    list(to) {
      const address = to?.toLowerCase();
      return newestFirst.filter(
        (message) => address === undefined || message.to.some((one) => one.toLowerCase() === address),
      );
    },
    find: (id) => newestFirst.find((message) => message.id === id),
  };
}

const fileOf = (dir: string, id: string) => join(dir, `${id}.json`);

/** Ids start with the arrival time, so file names sort by arrival. */
async function readMessages(dir: string) {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.json'));
  const messages: SinkMessage[] = [];
  for (const name of names.sort().reverse()) {
    messages.push(JSON.parse(await readFile(join(dir, name), 'utf8')) as SinkMessage);
  }
  return messages;
}
