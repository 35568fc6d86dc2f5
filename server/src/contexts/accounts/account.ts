import type { Handling } from '../../platform/caller.ts';
import type { CallView } from '../../platform/permissions.ts';

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
  /** Whose calls and recordings USERs see about whom no ADMIN has decided. */
  usersSee: CallView;
  secondFactorRequired: boolean;
  /** When an ADMIN asked for live mode; null if no request waits. */
  liveRequestedAt: Date | null;
  /** Whether it places no outbound calls until the operator approves it. */
  awaitsApproval: boolean;
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
  usersSee?: CallView | undefined;
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
  usersSee,
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
  usersSee,
  secondFactorRequired,
});
