# syntax=docker/dockerfile:1
# Region Bucket: built on Debian 12 with a static Swift runtime, run on a slim one. amd64 and arm64.

FROM swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libmaxminddb-dev tor-geoipdb \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY Sources ./Sources
COPY Tests ./Tests
RUN swift build -c release --product region-bucket --static-swift-stdlib \
    && strip --strip-all --output=/region-bucket "$(swift build -c release --show-bin-path)/region-bucket"
RUN /region-bucket database build --quiet --output /region-bucket.mmdb /usr/share/tor/geoip /usr/share/tor/geoip6

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="region-bucket" \
      org.opencontainers.image.description="Tells apps which market a user is in, and nothing else" \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.licenses="Apache-2.0 AND CC-BY-SA-4.0"
COPY --from=build /region-bucket /usr/local/bin/region-bucket
COPY --from=build /region-bucket.mmdb /usr/share/region-bucket/region-bucket.mmdb
COPY Config/region-bucket.json5 /etc/region-bucket/region-bucket.json5
COPY LICENSE NOTICE /usr/share/doc/region-bucket/
ENV REGION_BUCKET_DATABASE_PATH=/usr/share/region-bucket/region-bucket.mmdb
USER 65534:65534
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=4s --start-period=5s \
    CMD ["/usr/local/bin/region-bucket", "healthcheck", "--config", "/etc/region-bucket/region-bucket.json5"]
ENTRYPOINT ["/usr/local/bin/region-bucket"]
CMD ["serve", "--config", "/etc/region-bucket/region-bucket.json5"]
