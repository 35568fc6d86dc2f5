import type { User } from '../user.ts';

export interface Invitation {
  id: number;
  /** Becomes the uuid of the user. */
  uuid: string;
  accountId: number;
  email: string;
  /** What the ADMIN entered; empty if nothing. */
  name: string;
  phone: string;
  role: User['role'];
  locale: User['locale'];
  /** The id of the ADMIN; null for a service token, and when the user was removed. */
  invitedBy: number | null;
  createdAt: Date;
  expiresAt: Date;
}

/** The fields of an invitation in the audit log. */
export const auditView = ({ name, email, phone, role, locale }: Invitation) => ({
  name,
  email,
  phone,
  role,
  locale,
});

/** The target in the audit log is the user whom the invitation creates, so that erasing them finds its entries. */
export const auditTarget = ({ uuid }: Invitation) => ({ type: 'user', id: uuid });
