# One image for api, worker, voice, shipper, the preparation of the database and the operator's command line; it includes
# the console and the manual. Build from the root of the repository.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
ARG PAGES=built

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-progress --loglevel=error --cache /tmp/npm && rm -rf /tmp/npm

FROM packages AS console
COPY tsconfig.json ./
COPY docs/examples docs/examples
COPY sdk/src sdk/src
COPY server/src/platform/cause-texts.ts server/src/platform/party.ts server/src/platform/phone.ts server/src/platform/
COPY console console
RUN node_modules/.bin/vite build console --logLevel warn

FROM packages AS manual
COPY . .
RUN node_modules/.bin/vitepress build docs && node tools/licences.ts --texts /third-party.txt

# PAGES=none omits console and manual.
FROM packages AS pages-built
COPY --from=console /app/console/dist /pages/console
COPY --from=manual /third-party.txt /pages/console/assets/
COPY --from=manual /app/docs/.vitepress/dist /pages/manual

FROM packages AS pages-none
RUN mkdir -p /pages/console /pages/manual

FROM pages-${PAGES} AS pages

FROM packages AS taken
COPY deploy/containers/bin/take-packages.ts /tmp/
RUN node /tmp/take-packages.ts /app /production && node /tmp/take-packages.ts /app /outside smtp-server postal-mime

# Simulated external systems: the mailbox, and the program that adds softphones to the simulator.
FROM ${NODE_IMAGE} AS outside
RUN groupadd --gid 10001 disca && useradd --uid 10001 --gid disca --no-create-home --shell /usr/sbin/nologin disca
WORKDIR /app
COPY --from=taken /outside/node_modules node_modules
COPY package.json ./
COPY simulator simulator
USER 10001:10001
CMD ["node", "simulator/mail-sink/main.ts"]

FROM ${NODE_IMAGE} AS server
ARG PINS=exact
ARG DEBIAN_SNAPSHOT=
COPY deploy/containers/bin/install-pinned /usr/local/sbin/
COPY deploy/containers/packages/backup.txt /usr/share/disca/packages.txt
RUN install-pinned /usr/share/disca/packages.txt
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Disca" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.licenses="Apache-2.0"
RUN groupadd --gid 10001 disca && useradd --uid 10001 --gid disca --no-create-home --shell /usr/sbin/nologin disca \
  && mkdir -p /var/lib/disca/recordings /var/lib/postgresql /run/postgresql /var/backups/disca \
  && chown -R disca:disca /var/lib/disca /var/lib/postgresql /run/postgresql /var/backups/disca
WORKDIR /app
ENV NODE_ENV=production
COPY --from=taken /production/node_modules node_modules
RUN mkdir node_modules/.bin && ln -s "$(command -v node)" node_modules/.bin/node && ln -s /app/disca /usr/local/bin/disca
COPY package.json disca LICENSE NOTICE ./
COPY deploy/rates deploy/rates
COPY deploy/containers/bin/healthy /usr/local/bin/
COPY --from=pages /pages/console console/dist
COPY --from=pages /pages/manual docs/.vitepress/dist
COPY sdk/src sdk/src
COPY cli cli
COPY server/migrations server/migrations
COPY server/sql server/sql
COPY server/src server/src
USER 10001:10001
CMD ["node", "server/src/main/api.ts"]
