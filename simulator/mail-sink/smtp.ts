import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Envelope } from './message.ts';

const maxMessageBytes = 256 * 1024;
const maxClients = 100;
const socketTimeoutMs = 30_000;
const closeTimeoutMs = 300;

interface SmtpOptions {
  /** Called at the start of every mail; if true, the response is 451 (temporary failure). */
  isRefusing(): boolean;
  receive(envelope: Envelope, raw: Buffer): Promise<void>;
}

export function createSmtpServer({ isRefusing, receive }: SmtpOptions) {
  return new SMTPServer({
    banner: 'Disca mail sink',
    // Unnecessary on loopback: encryption and authentication.
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    size: maxMessageBytes,
    maxClients,
    socketTimeout: socketTimeoutMs,
    closeTimeout: closeTimeoutMs,
    onMailFrom(_address, _session, answer) {
      answer(isRefusing() ? smtpError(451, 'The sink is set to refuse mail. Try again later.') : null);
    },
    onData(stream, session, answer) {
      readWhole(stream)
        .then((raw) => receive(envelopeOf(session), raw))
        .then(
          () => answer(null),
          (error: Error) => answer(error),
        );
    },
  });
}

async function readWhole(stream: SMTPServerDataStream) {
  const raw = await buffer(stream);
  if (stream.sizeExceeded) throw smtpError(552, `Mail is larger than ${maxMessageBytes} bytes.`);
  return raw;
}

function envelopeOf(session: SMTPServerSession): Envelope {
  const { mailFrom, rcptTo } = session.envelope;
  return { from: mailFrom ? mailFrom.address : '', to: rcptTo.map((recipient) => recipient.address) };
}

function smtpError(responseCode: number, message: string) {
  return Object.assign(new Error(message), { responseCode });
}
