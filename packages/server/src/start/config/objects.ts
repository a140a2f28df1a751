// The settings of the object store: a folder, or an S3 bucket with its address and keys.
import { ConfigError } from '../../platform/kernel/config-error.ts';
import type { S3Settings } from '../../platform/objects/s3-bucket.ts';
import { httpAddress, integer, refused, type SettingValue } from './setting-value.ts';

export type ObjectsConfig =
  | { readonly kind: 'disk'; readonly path: string }
  | ({ readonly kind: 's3'; readonly spool: string } & S3Settings);

/** The longest validity in seconds that S3 allows for a signed address. */
const MOST_LINK_SECONDS = 604_800;
const EXAMPLE = 'https://s3.example.org';
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^[\w.-]+(\/[\w.-]+)*$/;
const ONLY_S3 = ['s3-endpoint', 's3-access-key', 's3-secret-key', 's3-link-endpoint'];

/**
 * Returns the settings of the object store.
 * @param options `s3Elsewhere`: S3 settings are allowed although the objects are in a folder
 * @throws ConfigError if a setting is invalid
 */
export function objectsOf(
  of: (name: string) => SettingValue,
  dataDir: string,
  { s3Elsewhere = false } = {},
): ObjectsConfig {
  const given = of('objects-url');
  const { value: url } = given;
  if (url.startsWith('s3://')) return s3Of(given, of, dataDir);
  const stray = s3Elsewhere ? undefined : ONLY_S3.find((name) => of(name).value !== '');
  if (stray !== undefined) {
    throw new ConfigError(
      `${stray} is set (${of(stray).source}) and objects-url names no bucket; set objects-url to s3://<bucket>.`,
    );
  }
  if (url === '') return { kind: 'disk', path: `${dataDir}/objects` };
  if (url.startsWith('file:') && url.length > 'file:'.length) return { kind: 'disk', path: pathOf(url, 'file:') };
  throw refused(given, 'file:<folder> or s3://<bucket>');
}

/** Returns the path in an address of the form `scheme:path` or `scheme:///path`. */
export const pathOf = (url: string, scheme: string): string => url.slice(scheme.length).replace(/^\/\/(?=\/)/, '');

function s3Of(given: SettingValue, of: (name: string) => SettingValue, dataDir: string): ObjectsConfig {
  const text = (name: string) => of(name).value;
  const [bucket = '', ...rest] = given.value.slice('s3://'.length).replace(/\/+$/, '').split('/');
  const prefix = rest.join('/');
  if (!BUCKET.test(bucket) || (prefix !== '' && !PREFIX.test(prefix))) {
    throw refused(
      given,
      's3://<bucket> or s3://<bucket>/<prefix>, the bucket in lower-case letters, digits, dots and hyphens. The server is named by s3-endpoint, the key by s3-access-key and s3-secret-key',
    );
  }
  const endpoint = httpAddress(of('s3-endpoint'), EXAMPLE);
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
    linkSeconds: integer(of('s3-link-seconds'), 0, MOST_LINK_SECONDS),
    linkEndpoint: httpAddress(of('s3-link-endpoint'), EXAMPLE),
    spool: `${dataDir}/spool`,
  };
}
