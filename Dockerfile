# syntax=docker/dockerfile:1
# One image for server, worker and commands. "npm run deployment" runs these steps in a clean folder.

FROM node:22-bookworm-slim AS build
# The commit that the service reports: docker build --build-arg GIT_COMMIT=$(git rev-parse --short=12 HEAD) .
ARG GIT_COMMIT
WORKDIR /punchcard
COPY . ./
RUN npm ci --ignore-scripts
RUN npm run build
RUN npm prune --omit=dev --ignore-scripts

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /punchcard
COPY --from=build /punchcard/dist ./dist
COPY --from=build /punchcard/node_modules ./node_modules
COPY --from=build /punchcard/LICENSE ./LICENSE
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 CMD ["node", "dist/health.js"]
# The program itself is the first process, so that it gets the signals.
CMD ["node", "--enable-source-maps", "--min-semi-space-size=64", "--max-semi-space-size=64", "dist/main.js"]
