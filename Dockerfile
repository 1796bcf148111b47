# Not pinned by digest, so that a build gets the security fixes of the base image. A release passes and records the digest.
ARG BASE=node:24-alpine
FROM --platform=$BUILDPLATFORM $BASE AS build
WORKDIR /build
COPY package.json package-lock.json rolldown.config.mjs ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts scripts
COPY src src
RUN npm run build --silent

FROM $BASE
# Lists the files of --scan.
RUN apk add --no-cache git
COPY bin /opt/flagadm/bin
COPY --from=build /build/dist /opt/flagadm/dist
USER node
WORKDIR /work
ENTRYPOINT ["node", "/opt/flagadm/bin/flagadm.js"]
