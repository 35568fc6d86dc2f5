/** What a tab does in its group. */
interface Member<Message> {
  /** Returns the message that brings a new tab up to date. Called in the leader. */
  snapshot(): Message;
  /** Handles a message from another tab. */
  receive(message: Message, isLeader: boolean): void;
  /** Runs in one tab at a time. When it returns, or its tab closes, the next tab in the queue becomes the leader. */
  lead(signal: AbortSignal): Promise<void>;
}

export interface TabGroup<Message> {
  /** Sends a message to all other tabs. */
  send(message: Message): void;
  /** Queues this tab for leadership, after a delay if given. */
  requestLeadership(delayMs?: number): void;
  leave(): void;
}

/** Sent by a new tab; the leader replies with a snapshot. */
const hello = { kind: 'hello' } as const;

/** Connects all tabs of this browser that use the same name, and elects one leader among them with a Web Lock. */
export function joinTabGroup<Message extends { kind: string }>(
  name: string,
  member: Member<Message>,
): TabGroup<Message> {
  const channel = new BroadcastChannel(name);
  const leaving = new AbortController();
  const { signal } = leaving;
  let isLeader = false;
  const send = (message: Message): void => channel.postMessage(message);
  channel.onmessage = ({ data }: MessageEvent<Message | typeof hello>) => {
    if (data.kind !== 'hello') member.receive(data as Message, isLeader);
    else if (isLeader) send(member.snapshot());
  };
  channel.postMessage(hello);
  const lead = async (): Promise<void> => {
    isLeader = true;
    await member.lead(signal).finally(() => {
      isLeader = false;
    });
  };
  const queue = (): void => {
    if (!signal.aborted) navigator.locks.request(name, { signal }, lead).catch(() => undefined);
  };
  return {
    send,
    requestLeadership: (delayMs) => (delayMs === undefined ? queue() : void setTimeout(queue, delayMs)),
    leave() {
      leaving.abort();
      channel.close();
    },
  };
}
