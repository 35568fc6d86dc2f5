import { createSocket } from 'node:dgram';
import {
  type Attribute,
  attributes,
  deriveKey,
  findAttribute,
  methods,
  newTransaction,
  readAddress,
  readErrorCode,
  readStun,
  type StunMessage,
  writeAddress,
  writeStun,
} from './stun-message.ts';

export interface Endpoint {
  address: string;
  port: number;
}

export interface TurnClient {
  /** Returns error 0 and the relayed address, or the error code. */
  allocate(): Promise<{ error: number; relayed?: Endpoint }>;
  /** Creates a permission for a peer. Returns 0 or the error code. */
  permit(peer: Endpoint): Promise<number>;
  send(peer: Endpoint, data: string): void;
  /** Returns the next data from a peer. */
  receive(): Promise<string>;
  close(): void;
}

const answerMs = 60_000;
const retransmitMs = 500;
const udp = Buffer.from([17, 0, 0, 0]);

/** Opens a TURN client over UDP with long-term credentials. */
export async function openTurnClient(
  server: Endpoint,
  who: { username: string; credential: string },
): Promise<TurnClient> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.connect(server.port, server.address, resolve));
  const answers = new Map<string, (answer: StunMessage) => void>();
  const received: string[] = [];
  let onData: (() => void) | undefined;
  let login: { attributes: Attribute[]; key: Buffer } | undefined;

  socket.on('message', (bytes) => {
    const message = readStun(bytes);
    const data = findAttribute(message, attributes.data);
    if (data) received.push(data.toString());
    if (data) onData?.();
    else answers.get(message.transaction.toString('hex'))?.(message);
  });

  async function ask(type: number, given: Attribute[]): Promise<StunMessage> {
    const transaction = newTransaction();
    const message = { type, transaction, attributes: [...given, ...(login?.attributes ?? [])] };
    const bytes = writeStun(message, login?.key);
    const id = transaction.toString('hex');
    return await new Promise((resolve, reject) => {
      const again = setInterval(() => socket.send(bytes), retransmitMs);
      const settle = (answer?: StunMessage): void => {
        clearInterval(again);
        clearTimeout(deadline);
        answers.delete(id);
        if (answer) resolve(answer);
        else reject(new Error('The relay does not respond.'));
      };
      const deadline = setTimeout(settle, answerMs);
      answers.set(id, settle);
      socket.send(bytes);
    });
  }

  /** Allocates a relay. The relay challenges the first request; later ones carry the credentials. */
  async function allocate(): Promise<{ error: number; relayed?: Endpoint }> {
    const requested: Attribute[] = [[attributes.transport, udp]];
    const challenge = await ask(methods.allocate, requested);
    const realm = findAttribute(challenge, attributes.realm);
    const nonce = findAttribute(challenge, attributes.nonce);
    if (readErrorCode(challenge) !== 401 || !realm || !nonce) return { error: readErrorCode(challenge) };
    login = {
      key: deriveKey(who.username, realm.toString(), who.credential),
      attributes: [
        [attributes.username, Buffer.from(who.username)],
        [attributes.realm, realm],
        [attributes.nonce, nonce],
      ],
    };
    const answer = await ask(methods.allocate, requested);
    const relayed = findAttribute(answer, attributes.relayed);
    return { error: readErrorCode(answer), ...(relayed ? { relayed: readAddress(relayed) } : {}) };
  }

  return {
    allocate,
    permit: async ({ address, port }) =>
      readErrorCode(await ask(methods.permit, [[attributes.peer, writeAddress(address, port)]])),
    send({ address, port }, data) {
      const indication = {
        type: methods.send | 0x010,
        transaction: newTransaction(),
        attributes: [
          [attributes.peer, writeAddress(address, port)],
          [attributes.data, Buffer.from(data)],
        ] satisfies Attribute[],
      };
      socket.send(writeStun(indication));
    },
    async receive() {
      const deadline = AbortSignal.timeout(answerMs);
      while (received.length === 0) {
        await new Promise<void>((resolve, reject) => {
          onData = resolve;
          deadline.onabort = () => reject(new Error('Nothing was relayed.'));
        });
      }
      return received.shift() ?? '';
    },
    close: () => socket.close(),
  };
}
