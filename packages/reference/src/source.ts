// What the documents are made of: the contract, seen as lists. Nothing about the wire is written down in this folder.
import { always, type ErrorName, type LimitClass, pathOf, type servicePaths } from '@sealpost/contract';
import {
  chats,
  contacts,
  type HttpOperation,
  type HttpOperationName,
  httpOperations,
  keyBackup,
  keyLog,
  keys,
  login,
  type Method,
  type MethodName,
  messaging,
  methodNames,
  methodOf,
  Operation,
  primaryDevice,
  profile,
  type StreamEvent,
  shop,
  streamEvents,
} from '@sealpost/contract/schemas';

export type { HttpOperation, Method };
export type Argument = Method['args'][number];
export type Emission = NonNullable<Method['emits']>[number];
export type Schema = Method['result'];

export interface DocumentedMethod {
  readonly name: MethodName;
  readonly service: keyof typeof servicePaths;
  /** Name without the service. */
  readonly shortName: string;
  /** The path of the specification first, then every other path that is served. */
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

const slices: readonly (readonly [title: string, entries: object])[] = [
  ['Messaging', messaging],
  ['Chats', chats],
  ['Contacts', contacts],
  ['Profile and settings', profile],
  ['Login', login],
  ['Keys', keys],
  ['Key log', keyLog],
  ['Key backup', keyBackup],
  ['Shop', shop],
  ['Primary device', primaryDevice],
];
const inSlice = ({ name }: DocumentedMethod): boolean => slices.some(([, entries]) => name in entries);

/** The methods by topic; one service of the wire may be spread over several. */
export const methodGroups: readonly MethodGroup[] = [
  ...slices.map(([title, entries]) => ({ title, methods: documentedMethods.filter(({ name }) => name in entries) })),
  { title: 'Other methods', methods: documentedMethods.filter((method) => !inSlice(method)) },
].filter(({ methods }) => methods.length > 0);

export interface DocumentedHttpOperation {
  readonly name: HttpOperationName;
  readonly entry: HttpOperation;
  readonly paths: readonly string[];
}

/** The operations that are no RPC. */
export const documentedHttpOperations: readonly DocumentedHttpOperation[] = Object.entries(httpOperations).map(
  ([name, operation]) => {
    const entry: HttpOperation = operation;
    return { name: name as HttpOperationName, entry, paths: [entry.path, ...(entry.alsoAt ?? [])] };
  },
);

/** The verbs of one of the paths of an operation, each with its limit class. */
export const verbsAt = (
  { path: main, verbs }: HttpOperation,
  path: string,
): readonly (readonly [string, LimitClass])[] =>
  (Object.entries(verbs) as [string, LimitClass][]).filter(([verb]) => path === main || verb !== 'POST');

/** Control events of the stream, by name. */
export const controlEvents: readonly (readonly [name: string, event: StreamEvent])[] = Object.entries(streamEvents);

/** Errors that a method may answer: its own first, then those of the steps before every handler. */
export function errorsOf(entry: Method): {
  readonly own: readonly ErrorName[];
  readonly general: readonly ErrorName[];
} {
  const general = always.filter((name) => !entry.errors.includes(name));
  return {
    own: entry.errors,
    general: entry.auth === 'user' ? general : general.filter((name) => !needsSession(name)),
  };
}

const needsSession = (name: ErrorName): boolean =>
  name === 'REQUEST_NEED_LOGIN' || name === 'SESSION_LOGGED_OUT' || name === 'MUST_REFRESH_V3_TOKEN';

/** Every schema that the wire has: of arguments, results, bodies, queries and events. */
export const schemasOfContract = (): readonly Schema[] =>
  [
    ...documentedMethods.flatMap(({ entry }) => [...entry.args.map(({ schema }) => schema), entry.result]),
    ...documentedHttpOperations.flatMap(({ entry }) => [entry.query, entry.body?.schema, entry.response.schema]),
    ...controlEvents.map(([, { data }]) => data),
    Operation,
  ].filter((schema) => schema !== undefined);
