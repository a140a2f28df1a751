// Calls the HTTP endpoints that are not RPC methods: notices, pictures, copies of objects, the timeline, object
// storage. Their types come from the contract.
import {
  brandHeader,
  type HttpBody,
  type HttpEndpointName,
  type HttpEndpoints,
  type HttpQuery,
  type HttpResult,
  httpPaths,
  plainHeaders,
} from '@sealpost/contract';
import type { Channels } from '../channels.ts';
import type { ObjectRequest, ObjectStorage } from '../media/object-storage.ts';
import { readInfo, readPlayback } from '../media/stored-object.ts';
import type { Gateway } from './calls.ts';
import type { ClientPorts } from './ports.ts';
import { readEnvelope } from './transport.ts';

type ObjectPath = HttpBody<'copyForMessage'>['srcPath'];
type Bytes = Uint8Array<ArrayBuffer>;

export interface ObjectOptions {
  /** The header `X-Talk-Meta`, which names the message of a sealed object. */
  readonly talkMeta?: string;
  readonly signal?: AbortSignal;
}

export interface DirectRequest extends Pick<ObjectRequest, 'method' | 'headers' | 'body' | 'signal'> {
  /** The channel token that objects of the timeline need. */
  readonly channelToken?: string;
}

export interface HttpCalls {
  notices(query?: HttpQuery<'notices'>): Promise<HttpResult<'notices'>>;
  uploadProfile(query: HttpQuery<'uploadProfile'>, picture: Bytes, type: string): Promise<HttpResult<'uploadProfile'>>;
  copyForMessage(body: HttpBody<'copyForMessage'>): Promise<HttpResult<'copyForMessage'>>;
  /** Like every call of the timeline, this one needs a channel token. `HttpCalls` fetches and renews the token. */
  homeId(query?: HttpQuery<'homeId'>): Promise<HttpResult<'homeId'>>;
  getCover(query: HttpQuery<'getCover'>): Promise<HttpResult<'getCover'>>;
  updateCover(body: HttpBody<'updateCover'>): Promise<HttpResult<'updateCover'>>;
  /** Makes one request about the bytes of an object. The caller reads the body of the answer. */
  directObject(path: ObjectPath, request: DirectRequest): Promise<Response>;
  objectInfo(path: ObjectPath, options?: ObjectOptions): Promise<HttpResult<'objectInfo'>>;
  playback(path: ObjectPath, query?: HttpQuery<'playback'>, options?: ObjectOptions): Promise<HttpResult<'playback'>>;
}

/** The HTTP verbs that the contract lists for an endpoint. */
type VerbOf<N extends HttpEndpointName> = Extract<keyof HttpEndpoints[N]['verbs'], 'GET' | 'POST'>;
/** The endpoints of the gateway that need a channel token. */
type TimelineName = {
  [N in HttpEndpointName]: HttpEndpoints[N] extends { base: 'gateway'; headers: infer H extends readonly unknown[] }
    ? 'channelToken' extends H[number]
      ? N
      : never
    : never;
}[HttpEndpointName];

interface Rest {
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: string | Bytes;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpDeps {
  readonly gateway: Gateway;
  readonly storage: ObjectStorage;
  readonly channels: Channels;
  readonly ports: Pick<ClientPorts, 'timers'>;
}

export function createHttpCalls({ gateway, storage, channels, ports }: HttpDeps): HttpCalls {
  async function call<N extends HttpEndpointName>(name: N, method: VerbOf<N>, rest: Rest = {}): Promise<HttpResult<N>> {
    const { query, ...more } = rest;
    const response = await gateway.open({ what: name, method, path: httpPaths[name] + queryText(query), ...more });
    return (await readEnvelope(name, gateway.url, response, ports)) as HttpResult<N>;
  }

  const withChannel = (token: string) => ({ [brandHeader(gateway.brand, 'channelToken')]: token });
  const onTimeline = <N extends TimelineName>(name: N, method: VerbOf<N>, rest: Rest): Promise<HttpResult<N>> =>
    channels.withToken((token) => call(name, method, { ...rest, headers: withChannel(token) }));

  return {
    notices: (query) => call('notices', 'GET', { query }),
    uploadProfile: (query, body, type) =>
      call('uploadProfile', 'POST', { query, body, headers: { 'Content-Type': type } }),
    copyForMessage: (body) => call('copyForMessage', 'POST', { body: JSON.stringify(body) }),
    homeId: (query) => onTimeline('homeId', 'GET', { query }),
    getCover: (query) => onTimeline('getCover', 'GET', { query }),
    updateCover: (body) => onTimeline('updateCover', 'POST', { body: JSON.stringify(body) }),
    directObject: (path, { channelToken, headers, ...request }) =>
      storage({
        what: 'directObject',
        path: pathText(path),
        headers: { ...headers, ...(channelToken !== undefined && withChannel(channelToken)) },
        ...request,
      }),
    objectInfo: (path, options) => readInfo(storage, pathText(path), requestOf('objectInfo', options)),
    playback: (path, query, options) =>
      readPlayback(storage, pathText(path), query ?? {}, requestOf('playback', options)),
  };
}

const pathText = ({ service, sid, oid }: ObjectPath): string =>
  httpPaths.directObject
    .replace('{service}', encodeURIComponent(service))
    .replace('{sid}', encodeURIComponent(sid))
    .replace('{oid}', encodeURIComponent(oid));

const requestOf = (what: string, { talkMeta, signal }: ObjectOptions = {}) => ({
  what,
  ...(talkMeta !== undefined && { headers: { [plainHeaders.talkMeta.name]: talkMeta } }),
  ...(signal && { signal }),
});

/** Returns the query, beginning with a question mark; an empty string if no field is set. */
export function queryText(query: Rest['query'] = {}): string {
  const set = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
}
