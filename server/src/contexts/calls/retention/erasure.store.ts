import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { erasedText, mentionOf, type Person, searchText } from '../../../platform/erased.ts';
import { fold } from '../../../platform/fold.ts';
import { spellingsOf } from '../../../platform/phone.ts';

/** Tests whether a call contains data of the person, or its metadata names them. */
const concerns = (person: Person) =>
  'phone' in person
    ? sql`(${person.phone} in (c."to", c."from", c.caller_id) or ${isBina(person.phone)} or ${isOfLeg(person.phone)} or ${mentioned(person)})`
    : sql`(lower(c.email) = ${searchText(person)} or ${mentioned(person)})`;

/** Extensions keep their caller ID as it was typed; other numbers of a call have their country code. */
const isBina = (phone: string) => sql`c.bina = any(${spellingsOf(phone)})`;

/** Calls that had commands keep their legs, which may have joined later. */
const isOfLeg = (phone: string) =>
  sql`coalesce(c.legs @> ${JSON.stringify([{ number: phone }])}::jsonb, false)`;

const isInRunningLeg = (person: Person) =>
  'phone' in person
    ? sql`exists (select from live_legs g where g.account_id = c.account_id and g.call_id = c.id and g.number = ${person.phone})`
    : sql`false`;

/** Notes are free text, in any notation. */
const isNoted = (person: Person) => sql`coalesce((select concat_ws(' ', n.note, array_to_string(n.tags, ' '))
  from call_notes n where n.account_id = c.account_id and n.id = c.id) ~* ${mentionOf(person)}, false)`;

/** A number in metadata is also among the words of the call, in digits, however it is written there. */
const mentioned = (person: Person) => sql`(position(${searchText(person)} in lower(c.metadata::text)) > 0
  or (select true from call_words w
       where w.account_id = c.account_id and w.word = ${fold(searchText(person))} and w.id = c.id limit 1)
  or ${isNoted(person)})`;

/** Tests the metadata only: the words of a call also have the employee who made it, whom the contact may not mention. */
const mentionedInMetadata = (person: Person) =>
  sql`(position(${searchText(person)} in lower(c.metadata::text)) > 0 or c.metadata::text ~* ${mentionOf(person)})`;

/** Tests whether the person speaks in the call, and therefore in its recording. */
const speaksIn = (person: Person) =>
  'phone' in person
    ? sql`(${person.phone} in (c."to", c."from") or ${isOfLeg(person.phone)})`
    : sql`lower(c.email) = ${searchText(person)}`;

interface FoundCall {
  id: string;
  isSpeaker: boolean;
}

/** Returns ended calls after this id. Running calls are skipped, because they still need the data. */
export async function findCallsOf(
  tx: Tx,
  accountId: number,
  person: Person,
  after: string,
  limit: number,
): Promise<FoundCall[]> {
  const { rows } = await sql<FoundCall>`
    select c.id, ${speaksIn(person)} as "isSpeaker" from calls c
     where c.account_id = ${accountId} and c.id > ${after} and c.status = 'ended' and ${concerns(person)}
     order by c.id limit ${limit}`.execute(tx);
  return rows;
}

export async function countRunningCallsOf(tx: Tx, accountId: number, person: Person): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from live_calls l join calls c on c.id = l.call_id and c.account_id = l.account_id
     where l.account_id = ${accountId} and (${concerns(person)} or ${isInRunningLeg(person)})`.execute(tx);
  return rows[0]?.count ?? 0;
}

/**
 * Deletes the contacts that were read from metadata which mentions the person. Before `eraseFromCalls`, which empties
 * that metadata.
 */
export async function eraseContactsOfCalls(
  tx: Tx,
  accountId: number,
  person: Person,
  ids: string[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from contacts k using calls c
     where k.account_id = ${accountId} and k.source = 'metadata' and c.account_id = k.account_id
       and c.id = any(${ids}::uuid[]) and c."to" = k.number and ${mentionedInMetadata(person)}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Replaces the person's names and numbers, and empties the metadata that integrators attached. */
export async function eraseFromCalls(
  tx: Tx,
  accountId: number,
  person: Person,
  ids: string[],
): Promise<void> {
  const replaced = (column: string) =>
    'phone' in person
      ? sql`case when ${sql.ref(column)} = ${person.phone} then ${erasedText} else ${sql.ref(column)} end`
      : sql.ref(column);
  const name = (column: string) =>
    'phone' in person
      ? sql.ref(column)
      : sql`case when lower(c.email) = ${searchText(person)} then ${erasedText} else ${sql.ref(column)} end`;
  // First, because whether a call concerns the person is read from the fields that are replaced below.
  await sql`
    update call_notes n set note = null, tags = null
      from calls c
     where n.account_id = ${accountId} and n.id = any(${ids}::uuid[]) and c.account_id = n.account_id and c.id = n.id
       and (${speaksIn(person)} or ${mentioned(person)})`.execute(tx);
  await sql`
    update calls c
       set "to" = ${replaced('c.to')}, "from" = ${replaced('c.from')}, caller_id = ${replaced('c.caller_id')},
           bina = ${'phone' in person ? sql`case when ${isBina(person.phone)} then ${erasedText} else c.bina end` : name('c.bina')},
           email = ${name('c.email')},
           legs = ${legsWithout(person)},
           first_name = ${name('c.first_name')}, last_name = ${name('c.last_name')},
           metadata = case when ${speaksIn(person)} or ${mentioned(person)} then '{}'::jsonb else c.metadata end
     where c.account_id = ${accountId} and c.id = any(${ids}::uuid[])`.execute(tx);
  await sql`
    delete from call_pairs p using calls c
     where p.account_id = ${accountId} and p.id = any(${ids}::uuid[])
       and c.account_id = p.account_id and c.id = p.id and c.metadata = '{}'::jsonb`.execute(tx);
}

/** The legs with the person's number replaced. */
const legsWithout = (person: Person) =>
  'phone' in person
    ? sql`case when ${isOfLeg(person.phone)} then (
        select jsonb_agg(case when l.leg ->> 'number' = ${person.phone}
                 then l.leg || jsonb_build_object('number', ${erasedText}::text) else l.leg end order by l.position)
          from jsonb_array_elements(c.legs) with ordinality l (leg, position)) else c.legs end`
    : sql`c.legs`;

/**
 * Copies the erased fields into the events of the calls, which contain a snapshot. Events are found by the time in
 * their ids, which limits the search to the days of the call. Events move from the outbox to the log, so the outbox
 * comes first.
 */
export async function eraseFromEvents(
  tx: Tx,
  accountId: number,
  person: Person,
  ids: string[],
): Promise<number> {
  const waiting = await sql`update event_outbox e ${copyErased(accountId, person, ids)}`.execute(tx);
  const logged = await sql`update events e ${copyErased(accountId, person, ids)}`.execute(tx);
  return Number(waiting.numAffectedRows ?? 0) + Number(logged.numAffectedRows ?? 0);
}

/** Returns the events of the calls, also those after their end, without the ones that wait in the outbox. */
export async function findEventsOf(tx: Tx, accountId: number, ids: string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('events')
    .select('id')
    .where('account_id', '=', accountId)
    .where('subject_id', 'in', ids)
    .execute();
  return rows.map(({ id }) => id);
}

/** Events of transfers and conferences also contain the number of the added party. */
const withoutParty = (person: Person) =>
  'phone' in person
    ? sql`|| case when e.data ->> 'to' = ${person.phone} then jsonb_build_object('to', ${erasedText}::text) else '{}' end`
    : sql``;

const copyErased = (accountId: number, person: Person, ids: string[]) => sql`
       set data = jsonb_set(e.data, '{call}', (e.data -> 'call')
             || jsonb_build_object('to', c."to", 'from', c."from", 'metadata', c.metadata)) ${withoutParty(person)}
      from calls c
     where c.account_id = ${accountId} and c.id = any(${ids}::uuid[])
       and e.id >= uuid_floor(c.started_at - interval '1 minute')
       and e.id < uuid_floor(greatest(c.ended_at, c.answered_at, c.started_at) + interval '1 minute')
       and e.account_id = c.account_id and e.subject_id = c.id::text and e.data ? 'call'`;
