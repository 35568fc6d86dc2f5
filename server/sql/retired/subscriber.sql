-- The former form of find_phone, in the columns of Kamailio's module auth_db, which edges of release 0.1 read. Plain
-- varchar, because a length would prevent the use of indexes.
CREATE OR REPLACE VIEW edge.subscriber AS
  SELECT e.ramal::varchar AS username, a.domain::varchar AS domain, e.ha1::varchar AS ha1
    FROM public.extensions e JOIN public.accounts a ON a.id = e.account_id
   WHERE a.status = 'active'
  UNION ALL
  SELECT s.username::varchar, a.domain::varchar, s.ha1::varchar
    FROM public.phone_sessions s JOIN public.accounts a ON a.id = s.account_id
   WHERE a.status = 'active';
