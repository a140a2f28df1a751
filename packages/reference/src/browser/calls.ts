// Converts openapi.json to the flat list of calls that the page shows.

export type Schema = { readonly [key: string]: unknown };

interface DocumentedEndpoint {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly responses: { readonly '200': { readonly content?: Readonly<Record<string, unknown>> } };
  readonly 'x-errors'?: readonly string[];
  readonly 'x-limits': { readonly class: string };
  readonly 'x-emits'?: readonly Emission[];
}

interface Emission {
  readonly number: number;
  readonly type: string;
  readonly to: string;
  /** The condition under which the operation is sent, or what its parameters mean. */
  readonly when?: string;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedEndpoint>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface EmittedOperation {
  readonly name: string;
  readonly receivers: readonly string[];
}

export interface Call {
  readonly name: string;
  readonly shortName: string;
  readonly tag: string;
  readonly verb: string;
  readonly path: string;
  readonly summary: string;
  readonly body: Schema | undefined;
  readonly errors: readonly string[];
  readonly limit: string;
  /** The operations that the call emits, without duplicates. */
  readonly operations: readonly EmittedOperation[];
}

/**
 * Returns the endpoints for users that answer with JSON, each at only one of its paths. So the stream, endpoints that
 * answer with bytes, and the JSON APIs outside the protocol are left out.
 */
export const callsOf = ({ paths }: OpenApiDocument): readonly Call[] =>
  Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([, endpoint]) => !/\.\d+$/.test(endpoint.operationId) && 'x-limits' in endpoint)
      .filter(([, { responses }]) => responses['200'].content?.['application/json'] !== undefined)
      .map(([verb, endpoint]) => callOf(verb.toUpperCase(), path, endpoint)),
  );

function callOf(verb: string, path: string, endpoint: DocumentedEndpoint): Call {
  const { operationId: name, tags, summary, requestBody } = endpoint;
  return {
    name,
    shortName: name
      .split('.')
      .slice(tags[0] === name.split('.')[0] ? 1 : 0)
      .join('.'),
    tag: tags[0] ?? 'Other',
    verb,
    path,
    summary,
    body: requestBody?.content['application/json']?.schema,
    errors: endpoint['x-errors'] ?? [],
    limit: endpoint['x-limits'].class,
    operations: operationsOf(endpoint['x-emits'] ?? []),
  };
}

function operationsOf(emissions: readonly Emission[]): EmittedOperation[] {
  const byName = Map.groupBy(emissions, ({ number, type }) => `${number} ${type}`);
  return [...byName].map(([name, found]) => {
    // If several recipients get the operation with the same content, one entry names them all.
    const byContent = Map.groupBy(found, ({ when }) => when ?? '');
    const receivers = [...byContent].map(([when, same]) => {
      const to = `to ${same.map((emission) => emission.to).join(', ')}`;
      return when === '' ? to : `${to}: ${when}`;
    });
    return { name, receivers };
  });
}
