# syntax=docker/dockerfile:1
# One image for server, worker and commands. "npm run deployment" runs the steps of the first stage in a clean folder.

FROM node:22-bookworm-slim AS build
WORKDIR /punchcard
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . ./
# The programs and the reference are built once. Containers then start fast, and need no right to write here.
RUN npm run build

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /punchcard
COPY --from=build /punchcard ./
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 CMD ["node", "src/run/health.js"]
# The program itself is the first process, so that it gets the signals.
CMD ["node", "--max-semi-space-size=32", "src/run/run.js", "main"]
