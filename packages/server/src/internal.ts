// Internal exports for the development environment of the other packages. They may change at any time.

export type { Bus, WakeKind } from './platform/bus/bus.ts';
export { createIds } from './platform/kernel/ids.ts';
export { createLogger, type Logger } from './platform/kernel/logger.ts';
export type { CrashPointName, ServerPorts } from './platform/kernel/ports.ts';
export { systemPorts } from './platform/kernel/system.ts';
export { openDisk } from './platform/objects/disk.ts';
export {
  type ByteRange,
  ObjectMissing,
  type ObjectState,
  type Objects,
  type Source,
} from './platform/objects/objects.ts';
export { openS3, type S3Options } from './platform/objects/s3.ts';
export { failure } from './platform/rpc/envelope.ts';
export { ownMigrations } from './platform/store/migrate.ts';
export { newestIdIn } from './platform/store/newest-id.ts';
export { openPostgres } from './platform/store/postgres.ts';
export type { Query, Row } from './platform/store/sql.ts';
export { openSqlite } from './platform/store/sqlite.ts';
export type { Reader, Store, Tx } from './platform/store/store.ts';
export { createOperationLog } from './platform/stream/operation-log.ts';
export { createAccounts, createPasswords } from './slices/accounts/index.ts';
export { createAudit } from './slices/admin/index.ts';
export { createHeadSigner } from './slices/key-log/index.ts';
export { createCertificates, createSessions, loadServerSecret, type SessionOptions } from './slices/sessions/index.ts';
export { type Config, loadConfig } from './start/config/config.ts';
export type { ConfigSources } from './start/config/sources.ts';
export { createServer, type RunningServer } from './start/server.ts';
export { type SharedAdapters, type SharedGateway, startSharedGateway } from './start/shared-gateway.ts';
