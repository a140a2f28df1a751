// Checks before the server starts that a bucket can be used. If not, tells the operator why.
import type { Bucket, S3Settings } from './s3-bucket.ts';

/**
 * Tries every operation that will be used in this bucket, except removing.
 * @param readOnly true if nothing will be written
 * @throws Error that says what to do
 */
export async function requireUsable(bucket: Bucket, settings: S3Settings, readOnly = false): Promise<void> {
  const place = `bucket ${settings.bucket} at ${settings.endpoint ?? `S3 in ${settings.region}`}`;
  const { name, note } = { ...OBJECTS, ...settings.given };
  try {
    if (!readOnly) await bucket.put('writable', Buffer.alloc(0));
    for await (const _ of bucket.list('published/')) break;
    if (readOnly) return;
    for await (const _ of bucket.uploads('published/')) break;
  } catch (error) {
    const { message } = error as Error;
    const told = [adviceOn(error, settings, name), ...(note === undefined ? [] : [note])].join(' ');
    throw new Error(`${name} names ${place}, which cannot be used: ${message}. ${told}`, { cause: error });
  }
}

const OBJECTS: NonNullable<S3Settings['given']> = { name: 'objects-url' };
const CREDENTIALS = 'Set s3-access-key and s3-secret-key to a key of that server.';
const REACH = 'Check that s3-endpoint is its address and that this machine reaches it.';
const advice: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: CREDENTIALS,
  SignatureDoesNotMatch: CREDENTIALS,
  CredentialsProviderError: CREDENTIALS,
  InvalidToken: CREDENTIALS,
  ExpiredToken: CREDENTIALS,
  AccessDenied:
    'Allow its key s3:GetObject, s3:PutObject, s3:DeleteObject, s3:AbortMultipartUpload, s3:ListMultipartUploadParts, s3:ListBucket and s3:ListBucketMultipartUploads.',
  PermanentRedirect: 'Set s3-region to the region of the bucket.',
  AuthorizationHeaderMalformed: 'Set s3-region to the region of the bucket.',
  IllegalLocationConstraintException: 'Set s3-region to the region of the bucket.',
  RequestTimeTooSkewed: 'Set the clock of this machine.',
  TimeoutError: REACH,
};

function adviceOn(error: unknown, { pathStyle }: S3Settings, given: string): string {
  const { name = '', code = '' } = ((error as Error).cause ?? {}) as { name?: string; code?: string };
  if (name === 'NoSuchBucket') return `Create the bucket, or correct ${given}.`;
  const known = advice[name];
  if (known !== undefined) return known;
  if (code === 'ENOTFOUND' && !pathStyle)
    return `${REACH} A server without names for buckets wants --s3-path-style true.`;
  return code === '' ? `Check ${given} and the settings that begin with s3-.` : REACH;
}
