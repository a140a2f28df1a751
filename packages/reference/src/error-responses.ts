// Describes errors as OpenAPI responses: one per HTTP status, with an example body for each error.
import { always, type ErrorName } from '@sealpost/contract';
import { errorStatus } from '@sealpost/contract/schemas';
import { errorNumber } from './error-bodies.ts';
import type { JsonObject } from './json-schema.ts';
import { documentedMethods, errorsOf, type HttpEndpoint, type Method } from './source.ts';

/**
 * Returns the responses of a method. Responses that are the same for all methods are references to shared responses.
 */
export function methodErrorResponses(entry: Method): JsonObject {
  const { own, general } = errorsOf(entry);
  const ownStatuses = Map.groupBy(own, (name) => statusOf(name));
  const shared = Object.fromEntries(
    [...Map.groupBy(general, (name) => statusOf(name)).keys()].map((status) => [
      status,
      { $ref: `#/components/responses/${sharedName(entry.auth, status)}` },
    ]),
  );
  const rest = ' Besides these, the general errors.';
  return {
    ...shared,
    ...Object.fromEntries([...ownStatuses].map(([status, names]) => [status, errorResponse(names, rest)])),
  };
}

/** Returns the shared responses that `methodErrorResponses` refers to, by name. */
export function generalResponses(): JsonObject {
  const kinds = ['user', 'none'] as const;
  return Object.fromEntries(
    kinds.flatMap((auth) => {
      const entry = documentedMethods.find((method) => method.entry.auth === auth)?.entry;
      const names = entry ? always.filter((name) => errorsOf({ ...entry, errors: [] }).general.includes(name)) : [];
      return [...Map.groupBy(names, (name) => statusOf(name))].map(([status, found]) => [
        sharedName(auth, status),
        errorResponse(found),
      ]);
    }),
  ) as JsonObject;
}

/** Returns one response per status for a list of errors. */
export const errorResponses = (names: readonly ErrorName[], endpoint?: HttpEndpoint): JsonObject =>
  Object.fromEntries(
    [...Map.groupBy(new Set(names), (name) => statusOf(name, endpoint))].map(([status, found]) => [
      status,
      errorResponse(found),
    ]),
  );

const statusOf = (name: ErrorName, endpoint?: HttpEndpoint): string => String(errorStatus(name, endpoint));
const sharedName = (auth: Method['auth'], status: string): string =>
  `${auth === 'user' ? 'General' : 'BeforeLogin'}${status}`;

const errorResponse = (names: readonly ErrorName[], more = ''): JsonObject => ({
  description: `${names.map((name) => `${name} (${errorNumber(name)})`).join(', ')}.${more}`,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/ErrorBody' },
      examples: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }])),
    },
  },
});
