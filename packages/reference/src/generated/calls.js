// Generated from packages/reference/src/browser/calls.ts by `npm run docs`.
// Converts openapi.json to the flat list of calls that the page shows.

/**
 * Returns the endpoints for users that answer with JSON, each at only one of its paths. So the stream, endpoints that
 * answer with bytes, and the JSON APIs outside the protocol are left out.
 */
export const callsOf = ({ paths }                 )                  =>
  Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([, endpoint]) => !/\.\d+$/.test(endpoint.operationId) && 'x-limits' in endpoint)
      .filter(([, { responses }]) => responses['200'].content?.['application/json'] !== undefined)
      .map(([verb, endpoint]) => callOf(verb.toUpperCase(), path, endpoint)),
  );

function callOf(verb        , path        , endpoint                    )       {
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

function operationsOf(emissions                     )                     {
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
