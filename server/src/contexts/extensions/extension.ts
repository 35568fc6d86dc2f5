export interface Extension {
  id: number;
  accountId: number;
  /** The account's domain: softphones register as `ramal@domain`. */
  domain: string;
  ramal: string;
  senhaSealed: string;
  /** Number presented to the called party; may be empty. */
  bina: string;
  firstName: string;
  lastName: string;
  email: string;
  userId: number | null;
  recordCalls: boolean;
  autoAnswer: boolean;
  /** Start of the softphone's registration; null if none is registered. */
  registeredAt: Date | null;
}

/** The fields of an extension in the audit log. The password is secret; its change is recorded separately. */
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
