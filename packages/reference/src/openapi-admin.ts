// Describes the endpoints of the admin API as OpenAPI paths.
import { operationTypes } from '@sealpost/contract';
import { adminProblems, Problem } from '@sealpost/contract/admin';
import type { Components, JsonObject } from './json-schema.ts';
import { pathParameters, queryParameters } from './openapi-http.ts';
import type { AdminEndpoint, DocumentedAdminEndpoint } from './source.ts';

/**
 * Returns every path of an API with its verbs.
 * @param api the name of the API, which is the tag of its endpoints
 */
export function jsonPaths(
  api: 'admin' | 'registration' | 'workbench',
  documented: readonly DocumentedAdminEndpoint[],
  components: Components,
): [string, JsonObject][] {
  const paths = Map.groupBy(documented, ({ path }) => path);
  return [...paths].map(([path, endpoints]) => [
    path,
    Object.fromEntries(
      endpoints.map((endpoint) => [endpoint.entry.verb.toLowerCase(), described(api, endpoint, components)]),
    ),
  ]);
}

function described(api: string, { name, path, entry }: DocumentedAdminEndpoint, components: Components): JsonObject {
  return {
    operationId: `${api}.${name}`,
    tags: [api],
    summary: entry.summary,
    security: [entry.scope === 'none' ? {} : { adminToken: [] }],
    'x-scope': entry.scope,
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

function success({ location, result, resultBytes, status = 200 }: AdminEndpoint, components: Components): JsonObject {
  if (resultBytes) return { [status]: { description: resultBytes.doc, content: { [resultBytes.contentType]: {} } } };
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
