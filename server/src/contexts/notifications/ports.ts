export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Unique and the same in every attempt, so that a receiver can recognise a duplicate. */
  messageId: string;
}

export interface MailTransport {
  /**
   * Resolves once the mail server has taken the mail. Throws `AddressRefused` when it will never take mail for
   * this address; any other error may pass by itself.
   */
  send(message: MailMessage): Promise<void>;
}

export class AddressRefused extends Error {
  /** What the mail server answered, such as `550 5.1.1 No such user`. */
  readonly reply: string;

  constructor(reply: string) {
    super('The mail server refuses the address.');
    this.name = 'AddressRefused';
    this.reply = reply;
  }
}
