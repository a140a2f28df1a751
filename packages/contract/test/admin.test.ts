import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminEndpointNames, adminEndpointOf, adminProof, pathArgsOf } from '../src/admin.ts';

const entries = [
  ...adminEndpointNames.map((name) => [name, adminEndpointOf(name)] as const),
  ['proof', adminProof],
] as const;

test('an argument of the admin API has one name, wherever it stands, and a body takes no other fields', () => {
  for (const [name, endpoint] of entries) {
    const { body, query } = endpoint as ReturnType<typeof adminEndpointOf>;
    const schema = body && 'schema' in body ? body.schema : undefined;
    const args = [
      ...pathArgsOf(endpoint),
      ...Object.keys(query?.properties ?? {}),
      ...Object.keys(schema?.properties ?? {}),
      ...(body && !schema ? ['content'] : []),
    ];
    assert.equal(new Set(args).size, args.length, name);
    if (schema) assert.equal((schema as { additionalProperties?: boolean }).additionalProperties, false, name);
  }
});

test('no two entries of the admin API have the same verb and path', () => {
  const places = entries.map(([, { path, verb }]) => `${verb} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
  assert.equal(new Set(places).size, places.length);
});
