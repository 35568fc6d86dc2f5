-- SIP credentials in the columns of Kamailio's auth_db module: extensions and phone sessions of active accounts. A
-- view, so that changes take effect immediately. Plain varchar, because a length would prevent the use of indexes.
-- Ended sessions are kept for a while, so that the edge can distinguish a late phone from password guessing.
CREATE OR REPLACE VIEW edge.subscriber AS
  SELECT e.ramal::varchar AS username, a.domain::varchar AS domain, e.ha1::varchar AS ha1
    FROM public.extensions e JOIN public.accounts a ON a.id = e.account_id
   WHERE a.status = 'active'
  UNION ALL
  SELECT s.username::varchar, a.domain::varchar, s.ha1::varchar
    FROM public.phone_sessions s JOIN public.accounts a ON a.id = s.account_id
   WHERE a.status = 'active';
