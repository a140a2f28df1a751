// Where media objects lie: a folder, or a bucket of S3 and how to reach it.
import { ConfigError, integer } from './config-error.ts';
import type { S3Settings } from './objects/s3-bucket.ts';

export type ObjectsConfig =
  | { readonly kind: 'disk'; readonly path: string }
  | ({ readonly kind: 's3'; readonly spool: string } & S3Settings);

/** What S3 allows for a signed address. */
const MOST_LINK_SECONDS = 604_800;
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^[\w.-]+(\/[\w.-]+)*$/;
const ONLY_S3 = ['s3-endpoint', 's3-access-key', 's3-secret-key', 's3-link-endpoint'];

/** @throws ConfigError */
export function objectsOf(text: (name: string) => string, dataDir: string): ObjectsConfig {
  const url = text('objects-url');
  if (url.startsWith('s3://')) return s3Of(url, text, dataDir);
  const stray = ONLY_S3.find((name) => text(name) !== '');
  if (stray !== undefined) {
    throw new ConfigError(`${stray} is set and objects-url names no bucket; set objects-url to s3://<bucket>.`);
  }
  if (url === '') return { kind: 'disk', path: `${dataDir}/objects` };
  if (url.startsWith('file:') && url.length > 'file:'.length) return { kind: 'disk', path: pathOf(url, 'file:') };
  throw new ConfigError(
    `objects-url must begin with file: and name a folder, or with s3:// and name a bucket, not ${JSON.stringify(url.split(':')[0])}`,
  );
}

/** The path of `scheme:path` and of `scheme:///path`. */
export const pathOf = (url: string, scheme: string): string => url.slice(scheme.length).replace(/^\/\/(?=\/)/, '');

function s3Of(url: string, text: (name: string) => string, dataDir: string): ObjectsConfig {
  const [bucket = '', ...rest] = url.slice('s3://'.length).replace(/\/+$/, '').split('/');
  const prefix = rest.join('/');
  if (!BUCKET.test(bucket) || (prefix !== '' && !PREFIX.test(prefix))) {
    throw new ConfigError(
      `objects-url is ${JSON.stringify(url)}; it must be s3://<bucket> or s3://<bucket>/<prefix>, the bucket in lower-case letters, digits, dots and hyphens. The server is named by s3-endpoint, the key by s3-access-key and s3-secret-key.`,
    );
  }
  const endpoint = addressOf('s3-endpoint', text);
  const [accessKeyId, secretAccessKey] = [text('s3-access-key'), text('s3-secret-key')];
  if ((accessKeyId === '') !== (secretAccessKey === '')) {
    const missing = accessKeyId === '' ? 's3-access-key' : 's3-secret-key';
    throw new ConfigError(`${missing} is empty; set s3-access-key and s3-secret-key, or neither of them.`);
  }
  const style = text('s3-path-style');
  return {
    kind: 's3',
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region: text('s3-region'),
    credentials: accessKeyId === '' ? undefined : { accessKeyId, secretAccessKey },
    pathStyle: style === 'auto' ? endpoint !== undefined : style === 'true',
    linkSeconds: integer('s3-link-seconds', text('s3-link-seconds'), 0, MOST_LINK_SECONDS),
    linkEndpoint: addressOf('s3-link-endpoint', text),
    spool: `${dataDir}/spool`,
  };
}

function addressOf(name: string, text: (name: string) => string): string | undefined {
  const value = text(name);
  if (value === '') return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const plain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === '';
  if (url && plain) return url.href.replace(/\/$/, '');
  throw new ConfigError(
    `${name} is ${JSON.stringify(value.replace(/\/\/.*@/, '//'))}; it must be an address like https://s3.example.org, without a key in it.`,
  );
}
