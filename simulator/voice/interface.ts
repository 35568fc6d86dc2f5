import { connect } from 'node:net';

/** Control interface of the simulator's engine, on loopback. */
export interface SimulatorInterface {
  ask(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<void>;
  pressDigit(channelId: string, digit: string): Promise<void>;
}

export interface InterfaceOptions {
  ariUrl: string;
  amiPort: number;
  password: string;
}

export const interfaceUser = 'simulator';

/** Long, because a busy machine delays the engine. */
const answerTimeoutMs = 30_000;
const gone = 404;

export function connectInterface(options: InterfaceOptions): SimulatorInterface {
  return {
    ask: (method, path, body) => ask(options, method, path, body),
    pressDigit: (channelId, digit) =>
      act(options, { Action: 'PlayDTMF', Channel: channelId, Digit: digit, Duration: '120' }),
  };
}

async function ask(options: InterfaceOptions, method: string, path: string, body: unknown): Promise<void> {
  const response = await fetch(`${options.ariUrl}${path}`, {
    method,
    headers: {
      authorization: `Basic ${btoa(`${interfaceUser}:${options.password}`)}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerTimeoutMs),
  });
  const text = await response.text();
  if (method === 'DELETE' && response.status === gone) return;
  if (!response.ok) throw new Error(`The simulator refused ${method} ${path}: ${response.status} ${text}`);
}

/** Runs one action on the manager interface. */
function act(options: InterfaceOptions, action: Record<string, string>): Promise<void> {
  const login = { Action: 'Login', Username: interfaceUser, Secret: options.password, Events: 'off' };
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = connect(options.amiPort, '127.0.0.1', () => {
      for (const message of [login, action, { Action: 'Logoff' }]) socket.write(packet(message));
    });
    socket.setTimeout(answerTimeoutMs, () => socket.destroy(new Error('The simulator does not respond.')));
    socket.on('data', (chunk) => {
      said += chunk.toString('utf8');
    });
    socket.once('error', reject);
    socket.once('close', () => {
      if (said.includes('Response: Error'))
        reject(new Error(`The simulator refused ${action.Action}: ${said}`));
      else resolve();
    });
  });
}

const packet = (fields: Record<string, string>): string =>
  `${Object.entries(fields)
    .map(([key, value]) => `${key}: ${value}\r\n`)
    .join('')}\r\n`;
