// Describes the contract as an OpenAPI 3.1 document. Every path of a method has one POST.
import {
  type BrandHeader,
  brandHeader,
  brandHeaders,
  type ErrorName,
  errors,
  operationTypes,
  plainHeaders,
  rateLimits,
} from '@sealpost/contract';
import { errorBody, errorEntry } from './error-bodies.ts';
import { generalResponses, methodErrorResponses } from './error-responses.ts';
import { type Components, createComponents, type Json, type JsonObject } from './json-schema.ts';
import { jsonPaths } from './openapi-admin.ts';
import { envelope, httpEndpointPaths, sharedHeaders } from './openapi-http.ts';
import {
  type Argument,
  type DocumentedMethod,
  documentedAdminEndpoints,
  documentedMethods,
  documentedRegistrationEndpoints,
  documentedWorkbenchEndpoints,
  type Method,
} from './source.ts';

export interface DocumentInfo {
  /** The public address of the server, without a slash at the end. */
  readonly url: string;
  /** The brand that replaces `Svc` in the names of headers. */
  readonly brand: string;
  readonly version: string;
}

/** The headers that any call may carry and that are not part of its security. They are listed as parameters. */
const OPTIONAL_HEADERS: readonly BrandHeader[] = ['clientVersion', 'chromeVersion', 'application'];

/** @param workbench whether the server has a workbench, as servers of developers have */
export function openApi({ url, brand, version }: DocumentInfo, workbench: boolean): JsonObject {
  const components = createComponents();
  const paths = Object.fromEntries([
    ...documentedMethods.flatMap((method) => rpcPaths(method, components)),
    ...httpEndpointPaths(components),
    ...jsonPaths('admin', documentedAdminEndpoints, components),
    ...jsonPaths('registration', documentedRegistrationEndpoints, components),
    ...(workbench ? jsonPaths('workbench', documentedWorkbenchEndpoints, components) : []),
  ]);
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Sealpost gateway',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Every call is a POST with a JSON array of positional arguments, signed in X-Hmac (scheme 1). Its answer is an envelope with `code`, `message` and `data`. The operation stream is described in asyncapi.json.',
    },
    servers: [{ url }],
    tags: [
      ...new Set(documentedMethods.map(({ service }) => service)),
      ...['Gateway', 'Object storage', 'admin', 'registration'],
      ...(workbench ? ['workbench'] : []),
    ].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...components.all(), ErrorBody: errorSchema },
      parameters: sharedHeaders(brand),
      responses: generalResponses(),
      examples: Object.fromEntries(
        errorNames.map((name) => [name, { summary: errorEntry(name).doc, value: errorBody(name) }]),
      ),
      securitySchemes: securitySchemes(brand),
    },
  };
}

const errorNames = Object.keys(errors) as ErrorName[];

const errorSchema: JsonObject = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'integer', description: 'outer code; 10051 when `data` holds an exception' },
    message: { type: 'string' },
    data: {
      type: ['object', 'null'],
      description: 'the exception: name, code, reason, parameterMap; for other errors the reason',
    },
  },
};

const rpcPaths = (method: DocumentedMethod, components: Components): [string, JsonObject][] =>
  method.paths.map((path, index) => [path, { post: rpcEndpoint(method, index, components) }]);

function rpcEndpoint({ name, service, entry }: DocumentedMethod, index: number, components: Components): JsonObject {
  return {
    operationId: index === 0 ? name : `${name}.${index + 1}`,
    tags: [service],
    summary: entry.summary,
    security: [entry.auth === 'user' ? { accessToken: [], signature: [] } : { signature: [] }],
    parameters: [...OPTIONAL_HEADERS, 'locale'].map((header) => ({ $ref: `#/components/parameters/${header}` })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: argumentArray(entry.args, components) } },
    },
    responses: { '200': success(entry, components), ...methodErrorResponses(entry) },
    'x-limits': limitsOf(entry),
    'x-errors': entry.errors,
    ...(entry.reqSeq ? { 'x-req-seq': entry.reqSeq } : {}),
    ...(entry.emits
      ? { 'x-emits': entry.emits.map((emission) => ({ number: operationTypes[emission.type], ...emission })) }
      : {}),
    ...(entry.origin ? { 'x-origin': entry.origin } : {}),
  };
}

function argumentArray(args: readonly Argument[], components: Components): JsonObject {
  const required = args.filter(({ optional }) => !optional).length;
  const size = { minItems: required, maxItems: args.length };
  if (args.length === 0) return { type: 'array', ...size };
  return { type: 'array', prefixItems: args.map((argument) => namedArgument(argument, components)), ...size };
}

function namedArgument({ name, schema }: Argument, components: Components): Json {
  const body = components.schema(schema);
  return { ...(body as JsonObject), 'x-name': name };
}

const success = (entry: Method, components: Components): JsonObject => ({
  description: 'the result in `data`',
  content: { 'application/json': { schema: envelope(components.schema(entry.result)) } },
});

const limitsOf = ({ limit, countsEach }: Method): JsonObject => {
  const { burst, perSecond, per } = rateLimits[limit];
  return { class: limit, burst, perSecond, per, ...(countsEach && { countsEach }) };
};

const securitySchemes = (brand: string): JsonObject => ({
  accessToken: {
    type: 'apiKey',
    in: 'header',
    name: brandHeader(brand, 'access'),
    description: brandHeaders.access.doc,
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: plainHeaders.hmac.name,
    description: `${plainHeaders.hmac.doc}, scheme 1`,
  },
  adminToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'the admin token of the server, for the admin API only',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'lct',
    description: 'the access token as a cookie, for the operation stream and object downloads only',
  },
});
