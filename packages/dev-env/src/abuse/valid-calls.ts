// One valid call of every operation: methods with all forms of their arguments, other endpoints, and the APIs for
// administrators and registrations. All of them are derived from the contract.
import { leanArgs, sampleArgs, sampleValue } from '@sealpost/conformance/testing';
import { brandHeader, pathOf, plainHeaders } from '@sealpost/contract';
import { type AdminEndpoint, adminEndpoints, adminProof, adminRoot, pathArgsOf } from '@sealpost/contract/admin';
import { registrationEndpoints } from '@sealpost/contract/registration';
import { registrationRoot } from '@sealpost/contract/registration-names';
import { type HttpEndpoint, httpEndpoints, type MethodName, methodNames, methodOf } from '@sealpost/contract/schemas';
import type { Caller, Cast } from './cast.ts';

export type Header = readonly [name: string, value: string];

export interface ValidCall {
  readonly name: string;
  readonly verb: string;
  /** The path with its query. */
  readonly path: string;
  /** The headers without those of signature, token and length. */
  readonly headers: readonly Header[];
  /** The access token with which the call is signed; empty if it has none. */
  readonly token: string;
  /** True if the server must refuse the call without a valid signature. */
  readonly signed: boolean;
  /** The JSON value of the body; undefined if the body is not JSON. */
  readonly json: unknown;
  readonly body: Buffer;
  /** True if a right answer may come late or never end, as those of polls and streams. */
  readonly waits: boolean;
  /** True if a success ends the session of the caller, or the account that later calls are about. */
  readonly endsSession: boolean;
  /** The statuses from 500 up that the contract declares. */
  readonly declared: readonly number[];
}

const BRAND = 'Svc';
const JSON_TYPE: Header = ['Content-Type', 'application/json'];
/** The origin of a page of the server, whose name is that of the header Host. */
const OWN_PAGE: Header = ['Origin', 'http://localhost'];
const OVERLOADED = 503;
const NO_ROOM = 507;
/** A PNG of one transparent pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const jsonBody = (json: unknown): Buffer => Buffer.from(JSON.stringify(json));
const field = (of: object, name: string): unknown => Reflect.get(of, name);

/** Returns the fields of a schema of an object, each with its schema. */
const fieldsOf = (schema: object | undefined): [string, object][] =>
  schema === undefined ? [] : Object.entries(Object(field(schema, 'properties')));

const methodCall = (method: MethodName, token: string, json: unknown, form = ''): ValidCall => ({
  name: method + form,
  verb: 'POST',
  path: pathOf(method),
  headers: [JSON_TYPE, [plainHeaders.longPollTime.name, '1']],
  token: methodOf(method).auth === 'user' ? token : '',
  signed: true,
  json,
  body: jsonBody(json),
  waits: method === 'TalkService.fetchOps',
  endsSession: method === 'AuthService.logoutV2',
  declared: [OVERLOADED],
});

function callsOfMethod(method: MethodName, { token, sample }: Caller): ValidCall[] {
  const { alsoTakes = [] } = methodOf(method);
  /** Returns an example of the contract with ids of things that exist. */
  const alive = (example: unknown): unknown =>
    JSON.parse(
      JSON.stringify(example)
        .replaceAll(/"c0{28,}\d+"/g, JSON.stringify(sample.chat))
        .replaceAll(/"u0{28,}\d+"/g, JSON.stringify(sample.friend)),
    );
  return [
    methodCall(method, token, sampleArgs(method, sample)),
    methodCall(method, token, leanArgs(method, sample), ' with what it needs'),
    ...alsoTakes.map(({ example }, n) => methodCall(method, token, alive(example), ` in form ${n + 2}`)),
  ];
}

/** Returns calls as clients make them, of methods whose sample arguments say too much or too little. */
function usualCalls({ token, sample }: Caller): ValidCall[] {
  const { chat, friend, message: messageId } = sample;
  const text = 'hello';
  return [
    methodCall('TalkService.sendMessage', token, [0, { to: friend, text, contentType: 0 }], ' to a friend'),
    methodCall('TalkService.sendMessage', token, [0, { to: chat, text, contentMetadata: { a: 'b' } }], ' to a group'),
    methodCall(
      'TalkService.react',
      token,
      [{ reqSeq: 0, messageId, reactionType: { predefinedReactionType: 2 } }],
      ' once',
    ),
  ];
}

function queryOf(schema: object | undefined, { sample, mid }: Caller): string {
  const query = new URLSearchParams(
    fieldsOf(schema).map(([name, part]) => [name, name === 'mid' ? mid : String(sampleValue(part, name, sample))]),
  ).toString();
  return query && `?${query}`;
}

function callsOfEndpoint(name: string, endpoint: HttpEndpoint, caller: Caller): ValidCall[] {
  const { auth, body, errors, headers = [], path, response, signed, verbs } = endpoint;
  const bare = path
    .replace('{service}/{sid}/{oid}', `talk/m/${caller.fileMessage}`)
    .replaceAll(/\{\w+\}/g, '1')
    .concat(queryOf(endpoint.query, caller));
  const json = body?.schema && sampleValue(body.schema, name, caller.sample);
  const own: Record<string, Header> = {
    channelToken: [brandHeader(BRAND, 'channelToken'), caller.channelToken],
    sessionId: [brandHeader(BRAND, 'sessionId'), 'QQ=='],
    longPollTime: [plainHeaders.longPollTime.name, '1'],
    obsParams: [plainHeaders.obsParams.name, Buffer.from('{"ver":"1.0","name":"a"}').toString('base64')],
  };
  return Object.keys(verbs).map((verb) => ({
    name: `${verb} ${name}`,
    verb,
    path: bare,
    headers: [
      ...(verb === 'POST' && body ? [['Content-Type', body.contentType.replace('*', 'png')] as const] : []),
      ...headers.map((header) => own[header]).filter((header) => header !== undefined),
    ],
    token: auth === 'none' ? '' : caller.token,
    signed: signed !== false,
    json: verb === 'POST' ? json : undefined,
    body: verb !== 'POST' ? Buffer.alloc(0) : json === undefined ? pixel : jsonBody(json),
    waits: response.form === 'events' || errors.includes('POLL_TIMEOUT'),
    endsSession: false,
    declared: errors.includes('OBJECT_QUOTA') ? [OVERLOADED, NO_ROOM] : [OVERLOADED],
  }));
}

/** Returns a call of an API for pages and machines, which has no signature. */
function callOfJsonApi(
  name: string,
  root: string,
  endpoint: AdminEndpoint,
  { adminToken, administratorCookie, expendable }: Cast,
  caller: Caller,
): ValidCall {
  const { body, query, scope, verb } = endpoint;
  const names: Readonly<Record<string, string>> = { account: expendable };
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, part: string) => names[part] ?? '1');
  const schema = body && 'schema' in body ? body.schema : undefined;
  const given = pathArgsOf(endpoint);
  const json =
    schema &&
    Object.fromEntries(
      fieldsOf(schema)
        .filter(([part]) => !given.includes(part))
        .map(([part, of]) => [part, names[part] ?? sampleValue(of, part, caller.sample)]),
    );
  const bytes = body && 'contentType' in body ? body.contentType : undefined;
  const isAdministrators = scope === 'login' || scope === 'administrator';
  return {
    name: `${root.includes('admin') ? 'admin' : 'registration'} ${name}`,
    verb,
    path: `${root}${path}${queryOf(query, caller)}`,
    headers: [
      ...(json ? [JSON_TYPE] : bytes ? [['Content-Type', bytes] as const] : []),
      ...(isAdministrators ? [['Cookie', administratorCookie] as const, OWN_PAGE] : []),
      ...(scope === 'none' || isAdministrators ? [] : [['Authorization', `Bearer ${adminToken}`] as const]),
    ],
    token: '',
    signed: false,
    json,
    body: json ? jsonBody(json) : bytes ? Buffer.from('no zip') : Buffer.alloc(0),
    waits: false,
    endsSession: name === 'logOut' || name === 'deleteAccount',
    declared: [OVERLOADED],
  };
}

/** Returns the valid calls of one account, in an order that is the same for every account. */
export const validCalls = (cast: Cast, caller: Caller): ValidCall[] => [
  ...methodNames.flatMap((method) => callsOfMethod(method, caller)),
  ...usualCalls(caller),
  ...Object.entries(httpEndpoints).flatMap(([name, endpoint]) => callsOfEndpoint(name, endpoint, caller)),
  ...Object.entries({ ...adminEndpoints, adminProof }).map(([name, endpoint]) =>
    callOfJsonApi(name, adminRoot, endpoint, cast, caller),
  ),
  ...Object.entries(registrationEndpoints).map(([name, endpoint]) =>
    callOfJsonApi(name, registrationRoot, endpoint, cast, caller),
  ),
];
