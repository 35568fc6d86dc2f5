import type { Handling } from '../../platform/caller.ts';

export interface Account {
  id: number;
  uuid: string;
  domain: string;
  name: string;
  email: string;
  phone: string;
  mode: 'test' | 'live';
  timezone: string;
  balanceLowThresholdMicros: number;
  requestHandling: Handling;
  encryptedPhonesOnly: boolean;
  mediaFromAnyAddress: boolean;
  secondFactorRequired: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export interface AccountChange {
  name?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  timezone?: string | undefined;
  balanceLowThresholdMicros?: number | undefined;
  requestHandling?: Handling | undefined;
  encryptedPhonesOnly?: boolean | undefined;
  mediaFromAnyAddress?: boolean | undefined;
  secondFactorRequired?: boolean | undefined;
}

/** The fields of an account in the audit log. */
export const auditView = ({
  name,
  email,
  phone,
  timezone,
  balanceLowThresholdMicros,
  requestHandling,
  encryptedPhonesOnly,
  mediaFromAnyAddress,
  secondFactorRequired,
}: Account) => ({
  name,
  email,
  phone,
  timezone,
  balanceLowThresholdMicros,
  requestHandling,
  encryptedPhonesOnly,
  mediaFromAnyAddress,
  secondFactorRequired,
});
