import { type Database, inTransaction, type Tx } from '../../../platform/db/database.ts';
import { compareDecks, type DeckDifference, type DeckRate, readDeck } from './rate-deck.rules.ts';
import { type Deck, insertDeck, listDecks, readDeckAt, tryDeck } from './rate-deck.store.ts';

export interface DeckImport {
  csv: string;
  name: string;
  effectiveFrom: Date;
  at: Date;
}

/** Adds a deck and returns the changes. A dry run does the same and rolls back, so it reports the same errors. */
export async function importRates(
  deps: { db: Database },
  deck: DeckImport,
  dryRun: boolean,
): Promise<DeckDifference> {
  const rates = readDeck(deck.csv);
  return await inTransaction(deps.db, async (tx) => {
    const current = await readDeckAt(tx, deck.effectiveFrom);
    if (dryRun) await tryDeck(tx, deck, rates);
    else await insertDeck(tx, deck, rates);
    return compareDecks(current?.rates ?? [], rates);
  });
}

export const listRateDecks = (deps: { db: Database }): Promise<Deck[]> => inTransaction(deps.db, listDecks);

/** Returns the deck in effect at a date; with a number, only the rates that could match it. */
export async function showRates(
  deps: { db: Database },
  at: Date,
  number: string | undefined,
): Promise<{ deck: Deck; rates: DeckRate[] } | undefined> {
  const current = await inTransaction(deps.db, (tx: Tx) => readDeckAt(tx, at));
  if (!current || number === undefined) return current;
  return { ...current, rates: current.rates.filter((rate) => number.startsWith(rate.prefix)) };
}
