# PostgreSQL and Redis for one machine, and the media relay, from Debian stable. Not needed if you already run PostgreSQL
# and Redis. Build from the root of the repository.
ARG DEBIAN_IMAGE=debian:bookworm-slim

FROM ${DEBIAN_IMAGE} AS base
ARG PINS=exact
ARG DEBIAN_SNAPSHOT=
COPY deploy/containers/bin/install-pinned /usr/local/sbin/
COPY deploy/containers/bin/render deploy/containers/bin/healthy /usr/local/bin/
RUN groupadd --gid 10001 disca && useradd --uid 10001 --gid disca --no-create-home --shell /usr/sbin/nologin disca

FROM base AS postgres
COPY deploy/containers/packages/postgres.txt /usr/share/disca/packages.txt
# Prevents the package from creating its own cluster.
RUN mkdir -p /etc/postgresql-common/createcluster.d \
  && echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.d/disca.conf \
  && install-pinned /usr/share/disca/packages.txt \
  && mkdir -p /var/lib/postgresql /run/postgresql /var/backups/disca \
  && chown -R disca:disca /var/lib/postgresql /run/postgresql /var/backups/disca
COPY deploy/containers/bin/start-postgres deploy/containers/bin/pgbackrest-push /usr/local/bin/
ENV PATH=/usr/lib/postgresql/15/bin:$PATH
COPY LICENSE NOTICE docs/operate/licences.md /usr/share/doc/disca/
USER 10001:10001
# SIGINT is PostgreSQL's fast shutdown: it disconnects clients and exits cleanly.
STOPSIGNAL SIGINT
ENTRYPOINT ["start-postgres"]

FROM base AS redis
COPY deploy/containers/packages/redis.txt /usr/share/disca/packages.txt
RUN install-pinned /usr/share/disca/packages.txt
COPY deploy/containers/bin/start-redis /usr/local/bin/
COPY LICENSE NOTICE docs/operate/licences.md /usr/share/doc/disca/
USER 10001:10001
ENTRYPOINT ["start-redis"]

FROM base AS relay
COPY deploy/containers/packages/relay.txt /usr/share/disca/packages.txt
RUN install-pinned /usr/share/disca/packages.txt && mkdir -p /srv/disca/etc /srv/disca/run && chown -R disca:disca /srv/disca
COPY deploy/coturn /usr/share/disca/templates
COPY deploy/containers/bin/start-relay /usr/local/bin/
COPY LICENSE NOTICE docs/operate/licences.md /usr/share/doc/disca/
USER 10001:10001
ENTRYPOINT ["start-relay"]
