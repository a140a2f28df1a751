import { type DatabaseKind, databases, type ObjectsKind } from './harness.ts';

/** Where the bytes of media lie. */
export interface Place {
  readonly database: DatabaseKind;
  readonly objects: ObjectsKind;
}

/** Each database with objects on disk, and one with objects on S3 wherever the test command found or started one. */
export const places: readonly Place[] = [
  ...databases.map((database): Place => ({ database, objects: 'disk' })),
  ...(process.env.SEALPOST_TEST_S3_URL ? [{ database: 'sqlite', objects: 's3' } as const] : []),
];
