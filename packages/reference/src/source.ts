// Lists of the contract's content. All documents of this package are made from these lists, so no document repeats
// facts about the wire.
import { always, type ErrorName, type LimitClass, pathOf, type servicePaths } from '@sealpost/contract';
import {
  type AdminEndpoint,
  adminEndpointNames,
  adminEndpointOf,
  adminProof,
  adminRoot,
  Problem,
} from '@sealpost/contract/admin';
import { registrationEndpoints, registrationRoot } from '@sealpost/contract/registration';
import {
  type HttpEndpoint,
  type HttpEndpointName,
  httpEndpoints,
  type Method,
  type MethodName,
  methodNames,
  methodOf,
  ObjectParameters,
  Operation,
  type StreamEvent,
  streamEvents,
  topics,
} from '@sealpost/contract/schemas';
import { workbenchEndpoints, workbenchRoot } from '@sealpost/contract/workbench';

export type { AdminEndpoint, HttpEndpoint, Method };
export type Argument = Method['args'][number];
export type Emission = NonNullable<Method['emits']>[number];
export type Schema = Method['result'];

export interface DocumentedMethod {
  readonly name: MethodName;
  readonly service: keyof typeof servicePaths;
  /** The name without the service. */
  readonly shortName: string;
  /** The path that the specification names, followed by every other path at which the method is served. */
  readonly paths: readonly [string, ...string[]];
  readonly entry: Method;
}

export const documentedMethods: readonly DocumentedMethod[] = methodNames.map((name) => {
  const entry = methodOf(name);
  const [service, shortName] = name.split('.') as [keyof typeof servicePaths, string];
  const path = pathOf(name);
  const doubled = entry.doubledPrefix ? [`/api${path}`] : [];
  return { name, service, shortName, paths: [path, ...doubled, ...(entry.alsoAt ?? [])], entry };
});

export interface MethodGroup {
  readonly title: string;
  readonly methods: readonly DocumentedMethod[];
}

/** The methods by topic. The methods of one service may belong to several topics. */
export const methodGroups: readonly MethodGroup[] = Object.entries(topics).map(([topic, entries]) => ({
  title: titleOf(topic),
  methods: documentedMethods.filter(({ name }) => name in entries),
}));

/** Returns the title of a topic, for example `Key log` for `key-log`. */
function titleOf(topic: string): string {
  const words = topic.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface DocumentedHttpEndpoint {
  readonly name: HttpEndpointName;
  readonly entry: HttpEndpoint;
  readonly paths: readonly string[];
}

/** The endpoints that are not RPCs. */
export const documentedHttpEndpoints: readonly DocumentedHttpEndpoint[] = Object.entries(httpEndpoints).map(
  ([name, endpoint]) => {
    const entry: HttpEndpoint = endpoint;
    return { name: name as HttpEndpointName, entry, paths: [entry.path, ...(entry.alsoAt ?? [])] };
  },
);

/** Returns the HTTP verbs of one path of an endpoint, each with its rate-limit class. */
export const verbsAt = (
  { path: main, verbs }: HttpEndpoint,
  path: string,
): readonly (readonly [string, LimitClass])[] =>
  (Object.entries(verbs) as [string, LimitClass][]).filter(([verb]) => path === main || verb !== 'POST');

export interface DocumentedAdminEndpoint {
  readonly name: string;
  /** The whole path, with arguments in braces. */
  readonly path: string;
  readonly entry: AdminEndpoint;
}

const adminEntries: readonly (readonly [string, AdminEndpoint])[] = [
  ...adminEndpointNames.map((name) => [name, adminEndpointOf(name)] as const),
  ['proof', adminProof],
];

/** The endpoints of the admin API. */
export const documentedAdminEndpoints: readonly DocumentedAdminEndpoint[] = adminEntries.map(([name, entry]) => ({
  name,
  path: adminRoot + entry.path,
  entry,
}));

/** The endpoints of the registration API, with which people open accounts. */
export const documentedRegistrationEndpoints: readonly DocumentedAdminEndpoint[] = Object.entries<AdminEndpoint>(
  registrationEndpoints,
).map(([name, entry]) => ({ name, path: registrationRoot + entry.path, entry }));

/** The endpoints of the workbench API, which only a server for developers has. */
export const documentedWorkbenchEndpoints: readonly DocumentedAdminEndpoint[] = Object.entries<AdminEndpoint>(
  workbenchEndpoints,
).map(([name, entry]) => ({ name, path: workbenchRoot + entry.path, entry }));

/** Returns the schemas of an endpoint of an API with JSON bodies. */
const schemasOfAdmin = ({ query, body, result }: AdminEndpoint): readonly (Schema | undefined)[] => [
  query,
  body && 'schema' in body ? body.schema : undefined,
  result,
];

/** The control events of the stream, by name. */
export const controlEvents: readonly (readonly [name: string, event: StreamEvent])[] = Object.entries(streamEvents);

/**
 * Returns the errors that a method may answer: its own errors, and those of the checks that run before every method.
 */
export function errorsOf(entry: Method): {
  readonly own: readonly ErrorName[];
  readonly general: readonly ErrorName[];
} {
  return { own: entry.errors, general: generalErrors(entry) };
}

/** Returns the errors of the checks that run before every method, without those that the method declares itself. */
export const generalErrors = ({ auth, errors }: Pick<Method, 'auth' | 'errors'>): readonly ErrorName[] =>
  always.filter((name) => !errors.includes(name) && (auth === 'user' || !needsSession(name)));

const needsSession = (name: ErrorName): boolean =>
  name === 'REQUEST_NEED_LOGIN' || name === 'SESSION_LOGGED_OUT' || name === 'MUST_REFRESH_V3_TOKEN';

/** Returns every schema of the wire: of arguments, results, bodies, queries and events. */
export const schemasOfContract = (): readonly Schema[] =>
  [
    ...documentedMethods.flatMap(({ entry }) => [...entry.args.map(({ schema }) => schema), entry.result]),
    ...documentedHttpEndpoints.flatMap(({ entry }) => [entry.query, entry.body?.schema, entry.response.schema]),
    ...[...documentedAdminEndpoints, ...documentedRegistrationEndpoints, ...documentedWorkbenchEndpoints].flatMap(
      ({ entry }) => schemasOfAdmin(entry),
    ),
    Problem,
    ObjectParameters,
    ...controlEvents.map(([, { data }]) => data),
    Operation,
  ].filter((schema) => schema !== undefined);
