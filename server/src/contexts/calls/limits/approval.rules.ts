import { Refusal } from '../../../platform/errors.ts';

export const approvalRefusal = (): Refusal =>
  new Refusal(
    'ACCOUNT_NOT_APPROVED',
    'The operator of this service has not approved this account yet. Its administrators are mailed when it is.',
  );
