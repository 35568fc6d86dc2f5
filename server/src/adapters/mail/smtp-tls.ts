/** Whether a connection to `smtp://` must be encrypted with STARTTLS; `smtps://` always is. */
export type SmtpTls = 'required' | 'optional';

export interface SmtpTlsOptions {
  tls: SmtpTls;
  /** PEM certificates of the authority that signed the mail server's; default: those that Node trusts. */
  ca?: string;
}

/** Returns the options of nodemailer. */
export const tlsOptions = ({ tls, ca }: SmtpTlsOptions) => ({
  requireTLS: tls === 'required',
  ...(ca && { tls: { ca } }),
});

/** Returns an error that says what to do if the server does not encrypt; other errors unchanged. */
export function explainTls(error: unknown): unknown {
  const isRefused =
    error instanceof Error &&
    'command' in error &&
    error.command === 'STARTTLS' &&
    'response' in error &&
    Boolean(error.response);
  if (!isRefused) return error;
  return new Error(
    'The mail server does not offer STARTTLS, so no mail is sent. Enable it there, use smtps://, or, for a mail server on the same machine, set SMTP_TLS=optional.',
    { cause: error },
  );
}
