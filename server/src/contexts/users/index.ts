export { lockAdminsFor } from './admins.ts';
export {
  type ConfirmLinkDeps,
  confirmationLink,
  mailConfirmation,
  openConfirmationLink,
  verifyEmail,
} from './confirm-email.ts';
export { addUser } from './create-user.ts';
export { eraseUser } from './erase-user.ts';
export type { LinkExtensions } from './link-extensions.ts';
export { countUsers, findTrustedUsers, findUsers, listAdmins } from './user.store.ts';
export type { User } from './user.ts';
