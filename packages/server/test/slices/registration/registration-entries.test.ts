// Every endpoint of the registration API refuses every wrong value in every place of its body, as its entry declares.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type AdminEndpoint, adminProblems } from '@sealpost/contract/admin';
import { registrationEndpoints, registrationRoot } from '@sealpost/contract/registration';
import { databases, startServer, type TestServer } from '@sealpost/dev-env/harness';
import { systemPorts } from '@sealpost/sdk';
import { Registration } from '@sealpost/sdk/registration';
import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

type Fields = Readonly<Record<string, unknown>>;
const endpoints = Object.entries<AdminEndpoint>(registrationEndpoints);
const schemaOf = ({ body }: AdminEndpoint): TObject | undefined => (body && 'schema' in body ? body.schema : undefined);
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const propertiesOf = (schema: TSchema): Record<string, TSchema> =>
  (schema as { properties?: Record<string, TSchema> }).properties ?? {};

const values = [null, true, -1, 1.5, 2 ** 60, '', 'x', 'x'.repeat(30_000), [], ['x'], {}, { x: 1 }];

/** Yields the body with one wrong value at each place, also inside of objects, with the name of the place. */
function* wrongBodies(schema: TSchema, fields: Fields, place = ''): Generator<[string, Fields]> {
  yield [`${place}.unknown`, { ...fields, 'not a field': 1 }];
  for (const [name, part] of Object.entries(propertiesOf(schema))) {
    const validator = Compile(part);
    const unstorable = validator.Check('ab') ? ['a\0b', 'a\ud800b'] : [];
    const required = (schema as TObject).required?.includes(name as never) ?? false;
    const wrong = values.filter((value) => !validator.Check(value) && (required || value !== null));
    for (const value of [...wrong, ...unstorable])
      yield [`${place}.${name}: ${JSON.stringify(value).slice(0, 40)}`, { ...fields, [name]: value }];
    const inner = fields[name];
    if (!isObject(inner)) continue;
    for (const [where, changed] of wrongBodies(part, inner, `${place}.${name}`))
      yield [where, { ...fields, [name]: changed }];
  }
}

for (const kind of databases) {
  describe(`the entries of the registration API on ${kind}`, () => {
    let server: TestServer;
    let right: Readonly<Record<string, Fields>>;
    before(async () => {
      const flags = { registration: 'open', 'challenge-work': '1', 'failures-invite-per-address': '100000/60+1..1' };
      server = await startServer({ database: kind, flags });
      const solved = await new Registration({ url: server.url, fetch: systemPorts.fetch }).solvedChallenge();
      right = {
        lookAtInvite: { code: 'x' },
        checkUserid: { userid: 'x', code: 'x' },
        register: { userid: 'x', password: 'some password', displayName: 'x', code: 'x', solved },
      };
    });
    after(() => server?.close());

    async function refused(
      name: string,
      endpoint: AdminEndpoint,
      body: string,
      expected: readonly number[],
      type?: string,
    ) {
      const response = await fetch(server.url + registrationRoot + endpoint.path, {
        method: endpoint.verb,
        headers: { 'content-type': type ?? 'application/json' },
        body,
      });
      const text = await response.text();
      assert.ok(expected.includes(response.status), `${name}: ${response.status} ${text}`);
      assert.ok(adminProblems(endpoint)[response.status], `${name}: ${response.status} is not declared`);
      assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/, name);
      assert.ok((JSON.parse(text) as { detail: string }).detail, name);
    }

    test('every wrong value in every place of every body is refused', async () => {
      let tried = 0;
      for (const [name, endpoint] of endpoints) {
        const schema = schemaOf(endpoint);
        if (!schema) continue;
        for (const [place, body] of wrongBodies(schema, right[name] ?? {})) {
          await refused(`${name}${place}`, endpoint, JSON.stringify(body), [400]);
          tried += 1;
        }
        for (const body of ['null', '[]', '1', '"x"', '{', '\ufeff{}', 'x'])
          await refused(`${name}: ${body}`, endpoint, body, [400]);
        await refused(`${name}: text`, endpoint, '{}', [415], 'text/plain');
        await refused(`${name}: large`, endpoint, JSON.stringify({ x: 'x'.repeat(70_000) }), [413]);
      }
      assert.ok(tried > 100, `${tried} tried`);
    });

    test('another verb and another path are refused as problems', async () => {
      for (const [, { path, verb }] of endpoints) {
        const response = await fetch(server.url + registrationRoot + path, { method: 'PUT' });
        assert.deepEqual([response.status, response.headers.get('allow')?.startsWith(verb)], [405, true]);
      }
      const nowhere = await fetch(`${server.url}${registrationRoot}/nothing`);
      assert.equal(nowhere.status, 404);
      assert.match(nowhere.headers.get('content-type') ?? '', /^application\/problem\+json/);
    });
  });
}
