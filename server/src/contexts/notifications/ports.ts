export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Message-ID: the same in every attempt, so that receivers can detect duplicates. */
  messageId: string;
}

export interface MailTransport {
  /**
   * Resolves once the mail server has accepted the mail. Throws `AddressRefused` on a permanent rejection of the
   * address; other errors are temporary.
   */
  send(message: MailMessage): Promise<void>;
}

export class AddressRefused extends Error {
  /** Reply of the mail server, such as `550 5.1.1 No such user`. */
  readonly reply: string;

  constructor(reply: string) {
    super('The mail server refuses the address.');
    this.name = 'AddressRefused';
    this.reply = reply;
  }
}
