// The S3 server of a test run. Each test gets a new bucket.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { Objects } from '@sealpost/server/internal';
import { openS3, type S3Options } from '@sealpost/server/internal';

/**
 * The address and the keys of the S3 server, as `http://<access key>:<secret key>@<host>:<port>`. The test command sets
 * the variable after it has found or started the server.
 */
const given = process.env.SEALPOST_TEST_S3_URL;

/**
 * The reason why tests on S3 are skipped, as the test runner shows it; false if they run. The test command prints the
 * reason too.
 */
export const withoutS3 = given === undefined && 'no S3 server: set SEALPOST_TEST_S3_URL';

/** Returns the address of the S3 server without keys, `http://<host>:<port>`. */
export const s3Origin = (): string => new URL(given as string).origin;

export interface TestBucket {
  readonly options: S3Options;
  /** The command line flags that make a server use this bucket. */
  readonly flags: Readonly<Record<string, string>>;
  readonly client: S3Client;
  /** Opens the bucket in the same way as a server with these settings. */
  open(): Promise<Objects>;
  close(): void;
}

let made = 0;

/**
 * Creates a bucket with a new name.
 * @param through another address at which the same S3 server is reached, for example that of a proxy
 */
export async function makeBucket(through?: string): Promise<TestBucket> {
  const { origin, username, password } = new URL(given as string);
  const region = 'us-east-1';
  const credentials = { accessKeyId: username, secretAccessKey: password };
  const client = new S3Client({ endpoint: origin, region, credentials, forcePathStyle: true });
  made += 1;
  const bucket = `sealpost-test-${process.pid}-${Date.now().toString(36)}-${made}`;
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  const spool = mkdtempSync(join(tmpdir(), 'sealpost-spool-'));
  const endpoint = through ?? origin;
  const options: S3Options = {
    ...{ bucket, prefix: 'some/where/', endpoint, region, credentials, pathStyle: true, spool },
    ...{ linkSeconds: 0, linkEndpoint: undefined, objectBytes: 2 ** 31 },
  };
  return {
    options,
    flags: {
      'objects-url': `s3://${bucket}/some/where`,
      's3-endpoint': endpoint,
      's3-access-key': username,
      's3-secret-key': password,
    },
    client,
    open: () => openS3(options),
    close() {
      client.destroy();
      rmSync(spool, { recursive: true, force: true });
    },
  };
}
