// The origin to which downloads from S3 are redirected. A page with a content security policy must name this origin
// there.
import { isIP } from 'node:net';
import type { S3Settings } from './s3-bucket.ts';

/** Returns the origin of the addresses that S3 signs; undefined if downloads are not redirected. */
export function linkOrigin(settings: Omit<S3Settings, 'credentials'>): string | undefined {
  if (settings.linkSeconds === 0) return undefined;
  const { bucket, region } = settings;
  const usual = `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const endpoint = new URL(settings.linkEndpoint ?? settings.endpoint ?? usual);
  // The S3 client library follows the same rule: it puts the bucket's name either into the host or into the path.
  const host = endpoint.hostname.replace(/^\[|\]$/g, '');
  const inPath = settings.pathStyle || isIP(host) !== 0 || bucket.includes('.');
  return `${endpoint.protocol}//${inPath ? '' : `${bucket}.`}${endpoint.host}`;
}
