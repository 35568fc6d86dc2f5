/** The words of the generated calls, in SQL: the worker's code would take hours. A sample is compared with it. */
const sql = (month: string): string => `
insert into call_words
select distinct c.account_id, w.word, c.id from calls_${month} c, lateral unnest(array[
  c."to", substr(c."to", 3), substr(c."to", 5), c."from", c.bina, lower(c.last_name), c.email, split_part(c.email, '@', 1),
  translate(lower(c.first_name), 'áíã', 'aia'), lower(c.metadata ->> 'deal'), lower(c.metadata ->> 'campaign')]) as w(word)
where w.word is not null order by 1, 2, 3`;

export const callWords = { table: 'call_words', sql };
