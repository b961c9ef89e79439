# memagent serve, with its page and the bundled model. See docs/serve.md, "In a container".
FROM node:24-trixie-slim AS build
WORKDIR /source
COPY . .
# What only the engine for exported models needs is not downloaded.
ENV ONNXRUNTIME_NODE_INSTALL=skip
RUN npm ci
RUN npm run build
# Without what only building needs; Postgres' client is optional elsewhere, and needed here.
RUN npm ci --omit=dev --ignore-scripts \
 && npm install --no-save --omit=dev --ignore-scripts pg@8.23.1 \
 && rm -rf packages/*/src packages/*/*.tsbuildinfo packages/web/app packages/web/page \
    node_modules/onnxruntime-node/bin/*/darwin node_modules/onnxruntime-node/bin/*/win32

FROM node:24-trixie-slim
ENV NODE_ENV=production XDG_DATA_HOME=/data
WORKDIR /opt/memagent
COPY --from=build /source/package.json ./
COPY --from=build /source/node_modules node_modules
COPY --from=build /source/packages packages
COPY --from=build /source/models models
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8642
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8642/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "packages/cli/dist/bin.js"]
CMD ["serve", "--address", "0.0.0.0"]
