# Region Bucket: built on Debian 12 with the Swift runtime linked in, run on Debian 12 slim. amd64 and arm64:
#
#   docker buildx build --platform linux/amd64,linux/arm64 --build-arg REVISION="$(git rev-parse HEAD)" --tag region-bucket .
ARG SWIFT_IMAGE=swift:6.3-bookworm
ARG BASE_IMAGE=debian:bookworm-slim

FROM ${BASE_IMAGE} AS base

FROM ${SWIFT_IMAGE} AS build
# Whatever Debian 12 has at the time, security updates included; the list of contents says which.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends binutils libmaxminddb-dev python3 tor-geoipdb \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY Sources ./Sources
# The package is refused as a whole when a target of it is missing.
COPY Examples ./Examples
COPY Tests ./Tests
RUN swift build -c release --product region-bucket --static-swift-stdlib
# The files below: what they are made of does not reach the image.
COPY LICENSE NOTICE ./
COPY Config/region-bucket.json5 ./Config/
COPY Scripts/sbom ./Scripts/
COPY --from=base /var/lib/dpkg/status ./image/base-packages
RUN install -d image/doc \
    && install -m 644 LICENSE NOTICE image/doc/ \
    && strip --strip-all -o image/region-bucket .build/release/region-bucket \
    && image/region-bucket database build --quiet --output image/region-bucket.mmdb \
        /usr/share/tor/geoip /usr/share/tor/geoip6 \
    && chmod 644 image/region-bucket.mmdb \
    && sed -e 's|"\.\./build/region-bucket\.mmdb"|"/usr/share/region-bucket/region-bucket.mmdb"|' \
        -e 's|This one is built by Scripts/server\.|This one comes with the image.|' \
        Config/region-bucket.json5 > image/region-bucket.json5 \
    && grep -q '"/usr/share/region-bucket/region-bucket.mmdb"' image/region-bucket.json5 \
    && Scripts/sbom --symbols-of .build/release/region-bucket --program image/region-bucket \
        --database image/region-bucket.mmdb --base-packages image/base-packages \
        --output image/doc/sbom.spdx.json

FROM base
ARG REVISION=unknown
LABEL org.opencontainers.image.title="region-bucket" \
      org.opencontainers.image.description="Tells apps which market a user is in, and nothing else" \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="Apache-2.0 AND Apache-2.0 WITH Swift-exception AND CC-BY-SA-4.0"
COPY --from=build /source/image/region-bucket /usr/local/bin/region-bucket
COPY --from=build /source/image/region-bucket.mmdb /usr/share/region-bucket/region-bucket.mmdb
COPY --from=build /source/image/region-bucket.json5 /etc/region-bucket/region-bucket.json5
COPY --from=build /source/image/doc/ /usr/share/doc/region-bucket/
# For `serve` and `healthcheck` alike; so are all other settings, when they are made by variables.
ENV REGION_BUCKET_CONFIG=/etc/region-bucket/region-bucket.json5
USER 65534:65534
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=4s --start-period=5s --retries=3 \
    CMD ["/usr/local/bin/region-bucket", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/region-bucket"]
CMD ["serve"]
