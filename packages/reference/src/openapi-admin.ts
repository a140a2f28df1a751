// The endpoints of the admin API as OpenAPI paths.
import { operationTypes } from '@sealpost/contract';
import { adminProblems, Problem } from '@sealpost/contract/admin';
import type { Components, JsonObject } from './json-schema.ts';
import { pathParameters, queryParameters } from './openapi-http.ts';
import { type AdminEndpoint, type DocumentedAdminEndpoint, documentedAdminEndpoints } from './source.ts';

/** Returns every path with its verbs. */
export function adminPaths(components: Components): [string, JsonObject][] {
  const paths = Map.groupBy(documentedAdminEndpoints, ({ path }) => path);
  return [...paths].map(([path, endpoints]) => [
    path,
    Object.fromEntries(
      endpoints.map((endpoint) => [endpoint.entry.verb.toLowerCase(), described(endpoint, components)]),
    ),
  ]);
}

function described({ name, path, entry }: DocumentedAdminEndpoint, components: Components): JsonObject {
  return {
    operationId: `admin.${name}`,
    tags: ['admin'],
    summary: entry.summary,
    security: [entry.auth === 'none' ? {} : { adminToken: [] }],
    parameters: [...pathParameters(path), ...queryParameters(entry, components)],
    ...(entry.body ? { requestBody: requestBody(entry.body, components) } : {}),
    responses: { ...success(entry, components), ...refusals(entry, components) },
    ...(entry.emits
      ? { 'x-emits': entry.emits.map((emission) => ({ number: operationTypes[emission.type], ...emission })) }
      : {}),
  };
}

const requestBody = (body: NonNullable<AdminEndpoint['body']>, components: Components): JsonObject =>
  'schema' in body
    ? { required: !body.optional, content: { 'application/json': { schema: components.schema(body.schema) } } }
    : { required: true, description: body.doc, content: { [body.contentType]: {} } };

function success({ location, result, status = 200 }: AdminEndpoint, components: Components): JsonObject {
  if (!result) return { '204': { description: 'done; there is no body' } };
  const headers = { Location: { description: 'the path of the new thing', schema: { type: 'string' } } };
  return {
    [status]: {
      description: 'the result',
      ...(location === undefined ? {} : { headers }),
      content: { 'application/json': { schema: components.schema(result) } },
    },
  };
}

const refusals = (entry: AdminEndpoint, components: Components): JsonObject =>
  Object.fromEntries(
    Object.entries(adminProblems(entry)).map(([status, description]) => [
      status,
      { description, content: { 'application/problem+json': { schema: components.schema(Problem) } } },
    ]),
  );
