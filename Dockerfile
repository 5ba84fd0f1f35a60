# The command deadheat with git. Made from the tarballs of `npm run pack`; docs/install.md shows how to use it.
FROM docker.io/library/node:22-bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates git \
  && rm -rf /var/lib/apt/lists/*
COPY tarballs/deadheat-[0-9]*.tgz tarballs/deadheat-stats-*.tgz tarballs/deadheat-sync-*.tgz tarballs/deadheat-harness-*.tgz /tmp/packages/
# koffi brings its library as a package for this machine: no script has to run.
RUN npm install --global --ignore-scripts --no-audit --no-fund /tmp/packages/*.tgz && rm -r /tmp/packages
# Commits of a folder that belongs to somebody else outside of the container can be compared.
RUN git config --system --add safe.directory '*'
WORKDIR /work
ENTRYPOINT ["deadheat"]
