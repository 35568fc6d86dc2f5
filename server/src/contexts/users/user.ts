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
  createdAt: Date;
  updatedAt: Date;
  lastLoginAt: Date | null;
}

/** What the audit log keeps of a user. */
export const auditView = ({ name, email, phone, role, locale, emailVerified }: User) => ({
  name,
  email,
  phone,
  role,
  locale,
  emailVerified,
});
