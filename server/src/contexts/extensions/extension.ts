export interface Extension {
  id: number;
  accountId: number;
  /** The account's domain: `ramal@domain` is the address a softphone registers as. */
  domain: string;
  ramal: string;
  senhaSealed: string;
  /** The number to show at the destination, or nothing. */
  bina: string;
  firstName: string;
  lastName: string;
  email: string;
  /** Whose own extension it is. */
  userId: number | null;
  recordCalls: boolean;
  autoAnswer: boolean;
  /** When its softphone registered; null unless one is registered now. */
  registeredAt: Date | null;
}

/** What the audit log keeps of an extension. The password is a secret, so only that it changed is told elsewhere. */
export const auditView = (extension: Extension) => ({
  ramal: extension.ramal,
  bina: extension.bina,
  first_name: extension.firstName,
  last_name: extension.lastName,
  email_address: extension.email,
  user_id: extension.userId,
  gravar_audio: Number(extension.recordCalls),
  auto_answer: Number(extension.autoAnswer),
});
