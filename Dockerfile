# syntax=docker/dockerfile:1
# The image of charts/static-export-service. dev/image/image.json lists what it has, and a spec compares the two.
#
#   docker buildx build --tag registry.example.com/static-export:VERSION .
#
# The same commit gives the same files: Node.js by its release, Debian's packages by the day of a snapshot, and npm's by
# package-lock.json. To pin the base by digest as well: --build-arg BASE=node:24.21.0-trixie-slim@sha256:… For the same
# bytes: --build-arg SOURCE_DATE_EPOCH=0 --output type=registry,rewrite-timestamp=true
ARG BASE=node:24.21.0-trixie-slim

FROM ${BASE} AS packages
WORKDIR /checkout
# The version of the command; the checkout has none in here, because it has no git.
ARG RELEASE_VERSION=
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund \
    && npm run pack -- --pack-destination /tmp \
    && node dev/image/write-packages.mjs /tmp/pulumi-static-export-cli-*.tgz /opt/static-export

FROM ${BASE}
ARG SNAPSHOT=20261101T000000Z
RUN rm -f /etc/apt/sources.list.d/* \
    && for suite in trixie trixie-updates; do \
        echo "deb [check-valid-until=no] http://snapshot.debian.org/archive/debian/${SNAPSHOT} ${suite} main"; \
    done > /etc/apt/sources.list \
    && echo "deb [check-valid-until=no] http://snapshot.debian.org/archive/debian-security/${SNAPSHOT} trixie-security main" \
        >> /etc/apt/sources.list \
    && apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates git openssh-client bubblewrap \
    && rm -rf /var/lib/apt/lists/* /var/cache/ldconfig/aux-cache /var/log/apt /var/log/dpkg.log
ARG RELEASE_VERSION=
ARG SOURCE=
ARG REVISION=
LABEL org.opencontainers.image.title="static-export" \
    org.opencontainers.image.description="The admin service for documentation exports, and the static-export command" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.source="${SOURCE}" \
    org.opencontainers.image.revision="${REVISION}" \
    org.opencontainers.image.version="${RELEASE_VERSION}"
COPY --from=packages /opt/static-export /opt/static-export
RUN ln -s /opt/static-export/node_modules/@pulumi-static-export/cli/bin/static-export.js /usr/bin/static-export
USER 1000:1000
WORKDIR /
STOPSIGNAL SIGTERM
ENTRYPOINT ["static-export"]
CMD ["--help"]
