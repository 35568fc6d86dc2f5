export type { AbuseObserver, RaiseDeps } from './raise-signal.ts';
export { liftReview, listReviews, type Review, reviewAccount } from './review-account.ts';
export { type SignalAction, signalKinds } from './signals.rules.ts';
