// Describes the endpoints that are not RPCs as OpenAPI paths.
import {
  type BrandHeader,
  brandHeader,
  brandHeaders,
  type ErrorName,
  type LimitClass,
  operationTypes,
  plainHeaders,
  rateLimits,
} from '@sealpost/contract';
import { errorResponses } from './error-responses.ts';
import { type Components, isObject, type Json, type JsonObject, plain } from './json-schema.ts';
import { fieldsOf } from './schema-text.ts';
import {
  type DocumentedHttpEndpoint,
  documentedHttpEndpoints,
  generalErrors,
  type HttpEndpoint,
  verbsAt,
} from './source.ts';

export const httpEndpointPaths = (components: Components): [string, JsonObject][] =>
  documentedHttpEndpoints.flatMap((endpoint) =>
    endpoint.paths.map((path, index): [string, JsonObject] => [
      path,
      Object.fromEntries(
        verbsAt(endpoint.entry, path).map(([verb, limit]) => [
          verb.toLowerCase(),
          httpEndpoint(endpoint, { path, index, verb, limit }, components),
        ]),
      ),
    ]),
  );

interface Place {
  readonly path: string;
  readonly index: number;
  readonly verb: string;
  readonly limit: LimitClass;
}

function httpEndpoint({ name, entry }: DocumentedHttpEndpoint, place: Place, components: Components): JsonObject {
  const { path, index, verb, limit } = place;
  const single = Object.keys(entry.verbs).length === 1;
  const { burst, perSecond, per } = rateLimits[limit];
  return {
    operationId: [name, ...(single ? [] : [verb.toLowerCase()]), ...(index === 0 ? [] : [index + 1])].join('.'),
    tags: [entry.base === 'objects' ? 'Object storage' : 'Gateway'],
    summary: entry.summary,
    security: securityOf(entry, verb),
    parameters: [...pathParameters(path), ...queryParameters(entry, components), ...headerParameters(entry)],
    ...(entry.body && verb === 'POST' ? { requestBody: requestBody(entry.body, components) } : {}),
    responses: {
      '200': success(entry.response, components),
      ...errorResponses([...entry.errors, ...general(entry)], entry),
    },
    'x-limits': { class: limit, burst, perSecond, per },
    'x-errors': entry.errors,
    ...(entry.emits
      ? { 'x-emits': entry.emits.map((emission) => ({ number: operationTypes[emission.type], ...emission })) }
      : {}),
  };
}

/** Returns the errors that an endpoint may answer in addition to those that it declares. */
const general = ({ auth, body }: HttpEndpoint): readonly ErrorName[] =>
  generalErrors({ auth: auth === 'none' ? 'none' : 'user', errors: [] }).filter(
    (name) => body !== undefined || !OF_BODIES.includes(name),
  );

const OF_BODIES: readonly ErrorName[] = [
  'REQUEST_ARGUMENT_TYPE',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_BODY',
  'INVALID_LENGTH',
];

function securityOf({ auth, signed, cookie }: HttpEndpoint, verb: string): JsonObject[] {
  const signature = signed ? { signature: [] } : {};
  if (auth === 'none') return [signature];
  return [{ accessToken: [], ...signature }, ...(cookie && verb !== 'POST' ? [{ cookie: [] }] : [])];
}

/** Returns the parameters in a path, whose names are written in braces. */
export const pathParameters = (path: string): JsonObject[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name ?? '',
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

/** Returns the fields of a query as OpenAPI parameters. */
export const queryParameters = ({ query }: Pick<HttpEndpoint, 'query'>, components: Components): JsonObject[] =>
  query
    ? fieldsOf(plain(query)).map(({ name, type, optional }) => ({
        name,
        in: 'query',
        required: !optional,
        schema: components.node(type),
      }))
    : [];

function headerParameters({ headers = [], httpHeaders = [] }: HttpEndpoint): Json[] {
  const shared = headers.filter((header) => header !== 'access');
  // OpenAPI does not allow Accept and Content-Type as parameters, because the media types express these headers.
  const plainOnes = httpHeaders.filter((header) => !['Accept', 'Content-Type'].includes(header));
  return [
    ...shared.map((header) => ({ $ref: `#/components/parameters/${header}` })),
    ...plainOnes.map((name) => ({ name, in: 'header', required: false, schema: { type: 'string' } })),
  ];
}

const requestBody = (
  { contentType, schema, doc }: NonNullable<HttpEndpoint['body']>,
  components: Components,
): JsonObject => ({
  required: true,
  ...(doc ? { description: doc } : {}),
  content: { [contentType]: schema ? { schema: components.schema(schema) } : {} },
});

function success({ form, schema, doc }: HttpEndpoint['response'], components: Components): JsonObject {
  if (form === 'events') return { description: doc, content: { 'text/event-stream': { schema: { type: 'string' } } } };
  if (form === 'bytes') return { description: doc, content: { 'application/octet-stream': {} } };
  const data = schema ? components.schema(schema) : {};
  return {
    description: doc,
    content: { 'application/json': { schema: form === 'json' ? data : envelope(data, form === 'hybrid') } },
  };
}

/**
 * Returns the schema of the envelope of a successful answer. If `hybrid` is true, the envelope also has the fields of
 * the result at its top level.
 */
export function envelope(data: Json, hybrid = false): JsonObject {
  const body: JsonObject = {
    type: 'object',
    required: ['code', 'message', 'data'],
    properties: { code: { const: 0 }, message: { const: 'OK' }, data },
  };
  return hybrid && isObject(data) ? { allOf: [body, data] } : body;
}

/** Returns every header of the protocol as a shared parameter. */
export function sharedHeaders(brand: string): JsonObject {
  const branded = Object.entries(brandHeaders).map(([key, { doc }]) => [
    key,
    parameter(brandHeader(brand, key as BrandHeader), doc),
  ]);
  const others = Object.entries(plainHeaders).map(([key, { name, doc }]) => [key, parameter(name, doc)]);
  return Object.fromEntries([...branded, ...others]);
}

const parameter = (name: string, description: string): JsonObject => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});
