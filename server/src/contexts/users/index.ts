export {
  type ConfirmLinkDeps,
  confirmationLink,
  mailConfirmation,
  openConfirmationLink,
  verifyEmail,
} from './confirm-email.ts';
export { addUser } from './create-user.ts';
export { listAdmins } from './user.store.ts';
export type { User } from './user.ts';
