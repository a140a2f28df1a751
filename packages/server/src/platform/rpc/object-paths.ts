// Reads the paths of object storage: `/r/<service>/<sid>/<oid>`, with an ending that selects a form of the object.
import type { HttpEndpointName } from '@sealpost/contract/schemas';

export interface ObjectPath {
  readonly endpoint: Extract<HttpEndpointName, 'directObject' | 'objectInfo' | 'playback'>;
  readonly service: string;
  readonly sid: string;
  readonly oid: string;
  /** The form of the object that the request asks for. */
  readonly form: 'object' | 'preview' | 'original';
}

/**
 * Form of the paths. Paths are not percent-decoded, because no name that the server issues needs decoding. So a path
 * with `%` or dots names nothing.
 */
const PATH = /^\/r\/([a-z]{1,16})\/([a-z]{1,16})\/([A-Za-z0-9_-]{1,128})(?:\/([a-z_.]{1,20}))?$/;

type Tail = Pick<ObjectPath, 'endpoint' | 'form'>;

/** A map and not an object, because an object also has what it inherits, such as `constructor`. */
const TAILS: ReadonlyMap<string, Tail> = new Map<string, Tail>([
  ['', { endpoint: 'directObject', form: 'object' }],
  ['preview', { endpoint: 'directObject', form: 'preview' }],
  ['original', { endpoint: 'directObject', form: 'original' }],
  ['info.obs', { endpoint: 'objectInfo', form: 'object' }],
  ['object_info.obs', { endpoint: 'objectInfo', form: 'object' }],
  ['playback.obs', { endpoint: 'playback', form: 'object' }],
]);

/** Endings that may follow the name of an object. */
export const endings: readonly string[] = [...TAILS.keys()];

export function readObjectPath(path: string): ObjectPath | undefined {
  const match = PATH.exec(path);
  const tail = TAILS.get(match?.[4] ?? '');
  if (!match || !tail) return undefined;
  const [, service, sid, oid] = match as unknown as [string, string, string, string];
  return { ...tail, service, sid, oid };
}
