import type { Delivery } from './queries.ts';

/** A delivery whose last attempt failed is shown as failed, also while it is retried. */
export const shownState = ({ state, failed }: Pick<Delivery, 'state' | 'failed'>): Delivery['state'] =>
  failed ? 'failed' : state;
