-- The trusted peers in the columns of Kamailio's dispatcher module.
-- requires: edge/trusted_peers
CREATE OR REPLACE VIEW edge.dispatcher AS
  SELECT p.setid, ('sip:' || p.sip_address)::varchar AS destination, 0 AS flags, 0 AS priority, ''::varchar AS attrs,
         ''::varchar AS description
    FROM edge.trusted_peers() p;
