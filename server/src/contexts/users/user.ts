import type { Role } from '../../platform/caller.ts';

export interface User {
  id: number;
  uuid: string;
  accountId: number;
  name: string;
  email: string;
  phone: string;
  role: Role;
  locale: 'pt-BR' | 'en';
  emailVerified: boolean;
  /** The address entered by an ADMIN; null if the user has changed it since. */
  emailByAdmin: string | null;
  createdAt: Date;
  updatedAt: Date;
  lastLoginAt: Date | null;
}

/** The fields of a user in the audit log. */
export const auditView = ({ name, email, phone, role, locale, emailVerified }: User) => ({
  name,
  email,
  phone,
  role,
  locale,
  emailVerified,
});
