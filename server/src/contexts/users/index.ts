export { lockAdminsFor } from './admins.ts';
export { availability, presentAvailability } from './availability/availability.schemas.ts';
export { findAvailability } from './availability/availability.store.ts';
export {
  type ConfirmLinkDeps,
  confirmationLink,
  mailConfirmation,
  openConfirmationLink,
  verifyEmail,
} from './confirm-email.ts';
export { addUser } from './create-user.ts';
export { eraseUser } from './erase-user.ts';
export { takeInvitation } from './invitations/invitation.store.ts';
export { sweepInvitations } from './invitations/sweep-invitations.ts';
export type { LinkExtensions } from './link-extensions.ts';
export { requireProvedAddress } from './require-proved-address.ts';
export { countSeats, requireSeat } from './seats.ts';
export {
  countUsers,
  findTrustedUsers,
  findUserByUuid,
  findUsers,
  listAdmins,
  lockAdmins,
} from './user.store.ts';
export { auditView, type User } from './user.ts';
