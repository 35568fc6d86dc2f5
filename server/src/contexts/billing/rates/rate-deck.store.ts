import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { violatedConstraint } from '../../../platform/db/unavailable.ts';
import { invalid } from '../../../platform/errors.ts';
import type { DeckRate } from './rate-deck.rules.ts';

export interface Deck {
  id: number;
  name: string;
  effectiveFrom: Date;
  rates: number;
}

export async function listDecks(tx: Tx): Promise<Deck[]> {
  const { rows } = await sql<Deck>`
    select d.id, d.name, d.effective_from as "effectiveFrom", (select count(*)::int from rates r where r.deck_id = d.id) as rates
      from rate_decks d order by d.effective_from desc limit 1000`.execute(tx);
  return rows;
}

/** Returns the deck in effect at a date, with its rates. */
export async function readDeckAt(tx: Tx, at: Date): Promise<{ deck: Deck; rates: DeckRate[] } | undefined> {
  const deck = (await listDecks(tx)).find((each) => each.effectiveFrom <= at);
  return deck && { deck, rates: await readRates(tx, deck.id) };
}

async function readRates(tx: Tx, deckId: number): Promise<DeckRate[]> {
  const rows = await tx
    .selectFrom('rates')
    .selectAll()
    .where('deck_id', '=', deckId)
    .orderBy('prefix')
    .execute();
  return rows.map((row) => ({
    prefix: row.prefix,
    description: row.description,
    pricePerMinuteMicros: row.price_per_minute_micros,
    minimumSeconds: row.minimum_seconds,
    stepSeconds: row.step_seconds,
    freeSeconds: row.free_seconds,
  }));
}

interface NewDeck {
  name: string;
  effectiveFrom: Date;
  at: Date;
}

export async function insertDeck(tx: Tx, deck: NewDeck, rates: DeckRate[]): Promise<void> {
  try {
    const { id } = await tx
      .insertInto('rate_decks')
      .values({ name: deck.name, effective_from: deck.effectiveFrom, imported_at: deck.at })
      .returning('id')
      .executeTakeFirstOrThrow();
    await sql`insert into rates (deck_id, prefix, description, price_per_minute_micros, minimum_seconds, step_seconds, free_seconds)
      select ${id}, * from unnest(
        ${rates.map((rate) => rate.prefix)}::text[], ${rates.map((rate) => rate.description)}::text[],
        ${rates.map((rate) => rate.pricePerMinuteMicros)}::bigint[], ${rates.map((rate) => rate.minimumSeconds)}::int[],
        ${rates.map((rate) => rate.stepSeconds)}::int[], ${rates.map((rate) => rate.freeSeconds)}::int[])`.execute(
      tx,
    );
  } catch (error) {
    if (violatedConstraint(error) !== 'rate_decks_effective_from_key') throw error;
    throw invalid({
      path: 'from',
      code: 'duplicate',
      message: 'A deck with this start time already exists.',
    });
  }
}

/** Validates the deck by inserting it and rolling back. */
export async function tryDeck(tx: Tx, deck: NewDeck, rates: DeckRate[]): Promise<void> {
  await sql`savepoint before_deck`.execute(tx);
  await insertDeck(tx, deck, rates);
  await sql`rollback to savepoint before_deck`.execute(tx);
}
