// The exports for the testing package, which runs this server in tests and development and adds paths to it.

export { requireNode, runUntilSignal } from './main.ts';
export { readBody } from './platform/http/body.ts';
export { answerWith, openPageFolder } from './platform/http/page-folder.ts';
export { createWebApp } from './platform/http/web-app.ts';
export { type JsonHandler, jsonRoutes } from './platform/json-api/json-routes.ts';
export { Problem, problemType } from './platform/json-api/problem.ts';
export { removeFile } from './platform/kernel/files.ts';
export type { Logger } from './platform/kernel/logger.ts';
export type { ServerPorts } from './platform/kernel/ports.ts';
export { systemPorts } from './platform/kernel/system.ts';
export type { Caller } from './platform/rpc/call.ts';
export type { CallWatch, WatchedCall } from './platform/rpc/call-watch.ts';
export type { Endpoint } from './platform/rpc/endpoint.ts';
export { failure } from './platform/rpc/envelope.ts';
export { Exchange } from './platform/rpc/exchange.ts';
export { parseJson } from './platform/rpc/json.ts';
export type { Emitted } from './platform/rpc/strict-contract.ts';
export { sql } from './platform/store/sql.ts';
export { type LoggedOperation, operationJson } from './platform/stream/operation-log.ts';
export { AccountConflict, InvalidAccount } from './slices/accounts/index.ts';
export { banner } from './start/banner.ts';
export { loadConfig } from './start/config/config.ts';
export {
  devLogins,
  placeOf,
  populationFile,
  refuseRealAccounts,
  seedDevAccounts,
  writeDevAccounts,
} from './start/dev-accounts.ts';
export { removeReadyFile, writeReadyFile } from './start/listening.ts';
export { createServer, type RunningServer } from './start/server.ts';
export type { Workbench } from './start/server-options.ts';
export { pageHeaders } from './start/web-client.ts';
