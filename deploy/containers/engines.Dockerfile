# The SIP edge (Kamailio), the media node (Asterisk), and the simulator of phones and a carrier. Debian stable has no
# Asterisk, so a newer suite is used. Build from the root of the repository.
ARG DEBIAN_IMAGE=debian:sid-slim
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${DEBIAN_IMAGE} AS base
ARG PINS=exact
ARG DEBIAN_SNAPSHOT=
COPY deploy/containers/bin/install-pinned /usr/local/sbin/
COPY deploy/containers/bin/render deploy/containers/bin/healthy /usr/local/bin/
RUN groupadd --gid 10001 disca && useradd --uid 10001 --gid disca --no-create-home --shell /usr/sbin/nologin disca

FROM base AS edge
COPY deploy/containers/packages/edge.txt /usr/share/disca/packages.txt
RUN install-pinned /usr/share/disca/packages.txt && mkdir -p /srv/disca/etc /srv/disca/run && chown -R disca:disca /srv/disca
COPY deploy/kamailio /usr/share/disca/templates
COPY deploy/containers/bin/start-edge /usr/local/bin/
COPY LICENSE NOTICE docs/operate/licences.md /usr/share/doc/disca/
USER 10001:10001
CMD ["start-edge"]

# The voice prompts of a media node, generated from texts in the repository.
FROM ${NODE_IMAGE} AS prompts
ARG PINS=exact
ARG DEBIAN_SNAPSHOT=
COPY deploy/containers/bin/install-pinned /usr/local/sbin/
COPY deploy/containers/packages/prompts.txt /usr/share/disca/packages.txt
RUN install-pinned /usr/share/disca/packages.txt
WORKDIR /app
COPY package.json ./
COPY tools/dev tools/dev
RUN node tools/dev/voice/speak-prompts.ts /prompts

FROM base AS media
COPY deploy/containers/packages/media.txt /usr/share/disca/packages.txt
RUN install-pinned /usr/share/disca/packages.txt \
  && cd /srv && mkdir -p disca && cd disca && mkdir -p etc lib run spool log/cdr-custom recordings && chown -R disca:disca .
COPY --from=prompts /prompts /srv/disca/prompts
COPY deploy/containers/bin/write-music /usr/local/bin/
RUN write-music /srv/disca/music
COPY deploy/asterisk /usr/share/disca/templates
COPY deploy/containers/bin/start-media /usr/local/bin/
COPY LICENSE NOTICE docs/operate/licences.md /usr/share/doc/disca/
USER 10001:10001
CMD ["start-media"]

FROM media AS simulator
USER root
RUN cd /srv/disca && mkdir -p heard notes && chown disca:disca heard notes && ln -s notes/calls.jsonl calls.jsonl \
  && rm -r /usr/share/disca/templates
COPY simulator/voice/asterisk /usr/share/disca/templates
COPY deploy/containers/bin/start-simulator /usr/local/bin/
USER 10001:10001
CMD ["start-simulator"]
