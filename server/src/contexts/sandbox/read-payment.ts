import { type Database, inTransaction } from '../../platform/db/database.ts';
import { findPayment } from './payment.store.ts';
import type { Payment } from './payment.ts';

export const readPayment = async (deps: { db: Database }, id: string): Promise<Payment | undefined> =>
  await inTransaction(deps.db, (tx) => findPayment(tx, id));
