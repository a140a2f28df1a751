import { type DatabaseKind, databases, type ObjectsKind } from './harness.ts';

/** The database and the object storage of a test server. */
export interface Place {
  readonly database: DatabaseKind;
  readonly objects: ObjectsKind;
}

/**
 * The combinations to test: each database with objects on disk. If the test command found or started an S3 server, also
 * SQLite with objects on S3.
 */
export const places: readonly Place[] = [
  ...databases.map((database): Place => ({ database, objects: 'disk' })),
  ...(process.env.SEALPOST_TEST_S3_URL ? [{ database: 'sqlite', objects: 's3' } as const] : []),
];
