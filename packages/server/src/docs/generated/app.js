// Generated from packages/server/src/docs/browser/app.ts by `npm run docs`.
export {};
