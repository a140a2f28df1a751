// Every endpoint of the admin API: who may call it, and how it refuses unexpected arguments.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type AdminEndpoint,
  adminEndpointNames,
  adminEndpointOf,
  adminProblems,
  adminProof,
  adminRoot,
  pathArgsOf,
} from '@sealpost/contract/admin';
import { logInAdministrator, type TestAdministrator } from '@sealpost/dev-env/administrators';
import { databases, startServer, type TestServer } from '@sealpost/dev-env/harness';
import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** A request that is valid for its endpoint but names things that do not exist. */
interface Sent {
  readonly names: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly type?: string;
  readonly body?: string | Buffer;
}

interface Facts {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly const?: unknown;
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
}
const factsOf = (schema: TSchema): Facts => schema as Facts;
const fieldsOf = (schema: TObject | undefined): [string, TSchema][] => Object.entries(schema?.properties ?? {});
const schemaOf = ({ body }: AdminEndpoint): TObject | undefined => (body && 'schema' in body ? body.schema : undefined);

/** Returns a value that is valid for a schema. */
function fitting(schema: TSchema): unknown {
  const { type, enum: values, pattern, minimum = 0, const: only, items, properties } = factsOf(schema);
  if (values) return values[0];
  if (only !== undefined) return only;
  if (type === 'boolean') return true;
  if (type === 'integer') return minimum;
  if (items) return [fitting(items)];
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, fitting(part)]));
  if (pattern?.includes('{6}')) return '123456';
  return pattern?.includes('\\d') ? '1' : 'jp';
}

const JSON_TYPE = 'application/json';

function sentTo(endpoint: AdminEndpoint): Sent {
  const { body, query } = endpoint;
  const schema = schemaOf(endpoint);
  const fields = Object.fromEntries(fieldsOf(schema).map(([name, part]) => [name, fitting(part)]));
  return {
    names: Object.fromEntries(pathArgsOf(endpoint).map((name) => [name, 'nobody'])),
    query: fieldsOf(query).map(([name, part]) => [name, String(fitting(part))]),
    ...(schema && { type: JSON_TYPE, body: JSON.stringify(fields) }),
    ...(body && 'contentType' in body && { type: body.contentType, body: Buffer.from('no zip') }),
  };
}

const texts = ['', 'x', '-1', '1.5', '1e3', '0x1', ' 1', '0', '1', '99999999999999999', 'true', 'TRUE'];

/** Returns texts of a query that are not valid for its schema. */
function wrongTexts(schema: TSchema): string[] {
  const { type, enum: values, pattern, minimum = 0, maximum = Number.POSITIVE_INFINITY } = factsOf(schema);
  const isRight = (text: string): boolean => {
    if (values) return values.includes(text);
    if (type === 'boolean') return text === 'true' || text === 'false';
    if (type === 'integer') return /^\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
    return pattern === undefined || new RegExp(pattern).test(text);
  };
  return texts.filter((text) => !isRight(text));
}

const values = [null, true, 0, -1, 1.5, '', 'x', 'x'.repeat(30_000), [], ['x'], {}, { x: 1 }];

/**
 * Returns values of a body that are invalid for its schema or cannot be stored. A field that is `null` counts as
 * absent.
 */
function wrongValues(schema: TSchema, required: boolean): unknown[] {
  const validator = Compile(schema);
  const unstorable = validator.Check('ab') ? ['a\0b', 'a\ud800b'] : [];
  return [...values.filter((value) => !validator.Check(value) && (required || value !== null)), ...unstorable];
}

/** Yields requests with one fault in the query, each with the name of the fault's place. */
function* wrongQueries(endpoint: AdminEndpoint, sent: Sent): Generator<[string, Sent]> {
  for (const [name, schema] of fieldsOf(endpoint.query)) {
    const others = sent.query.filter(([other]) => other !== name);
    for (const text of wrongTexts(schema)) {
      yield [`${name}=${JSON.stringify(text)}`, { ...sent, query: [...others, [name, text]] }];
    }
    const twice = [name, String(fitting(schema))] as const;
    yield [`${name} twice`, { ...sent, query: [...others, twice, twice] }];
    if (endpoint.query?.required?.includes(name as never)) yield [`no ${name}`, { ...sent, query: others }];
  }
}

function* wrongBodies(endpoint: AdminEndpoint, sent: Sent): Generator<[string, Sent]> {
  const schema = schemaOf(endpoint);
  if (!schema) return;
  const fields = JSON.parse(String(sent.body)) as Record<string, unknown>;
  const withBody = (body: string): Sent => ({ ...sent, body });
  for (const body of ['null', '[]', '1', '"x"', '{', '{"a"}', '\ufeff{}', 'x']) yield [body, withBody(body)];
  yield ['an unknown field', withBody(JSON.stringify({ ...fields, 'not a field': 1 }))];
  for (const name of pathArgsOf(endpoint).filter((name) => !(name in fields)))
    yield [`${name} in the body`, withBody(JSON.stringify({ ...fields, [name]: 'x' }))];
  for (const [name, part] of fieldsOf(schema)) {
    const required = schema.required?.includes(name as never) ?? false;
    for (const value of wrongValues(part, required))
      yield [`${name}: ${JSON.stringify(value).slice(0, 40)}`, withBody(JSON.stringify({ ...fields, [name]: value }))];
    const { [name]: _, ...rest } = fields;
    if (required) yield [`no ${name}`, withBody(JSON.stringify(rest))];
  }
}

for (const kind of databases) {
  describe(`the entries of the admin API on ${kind}`, () => {
    let server: TestServer;
    let administrator: TestAdministrator;
    before(async () => {
      server = await startServer({ database: kind, flags: { 'rate-admin': '1000000+100000' } });
      administrator = await logInAdministrator(server);
    });

    /** Returns the headers of a caller who may call an endpoint. */
    function callerOf({ scope }: AdminEndpoint): Readonly<Record<string, string>> {
      const origin = new URL(server.url).origin;
      if (scope === 'none') return { origin };
      if (scope === 'login' || scope === 'administrator') return { origin, cookie: administrator.cookie };
      return { authorization: `Bearer ${server.adminToken}` };
    }
    after(() => server?.close());

    async function send(endpoint: AdminEndpoint, sent: Sent, caller = callerOf(endpoint)) {
      const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name) => sent.names[name] ?? '');
      const query = new URLSearchParams(sent.query.map(([name, text]) => [name, text]));
      const response = await fetch(`${server.url}${adminRoot}${path}?${query}`, {
        method: endpoint.verb,
        headers: { ...caller, ...(sent.type && { 'content-type': sent.type }) },
        body: sent.body === undefined ? null : new Uint8Array(Buffer.from(sent.body)),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    }

    async function refused(name: string, endpoint: AdminEndpoint, sent: Sent, expected: number | readonly number[]) {
      const { status, headers, text } = await send(endpoint, sent);
      assert.ok([expected].flat().includes(status), `${name}: ${status} ${text}`);
      assert.ok(adminProblems(endpoint)[status], `${name}: ${status} is not declared`);
      assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/, name);
      const problem = JSON.parse(text) as { status: number; title: string; detail: string };
      assert.equal(problem.status, status, name);
      assert.ok(problem.title && problem.detail, name);
    }

    const newest = async () => (await send(adminEndpointOf('listAudit'), { names: {}, query: [['limit', '1']] })).text;

    test('without the admin token every entry answers 401: no token, a wrong one, that of a user', async () => {
      const { client } = await server.user('stranger');
      const token = client.session?.tokens.accessToken;
      for (const name of adminEndpointNames) {
        const endpoint = adminEndpointOf(name);
        if (endpoint.scope === 'none') continue;
        const wrong = [
          '',
          'Bearer wrong',
          'Bearer sealpost_admin_wrong',
          `Bearer ${token}`,
          `Basic ${server.adminToken}`,
        ];
        for (const caller of [{}, ...wrong.map((authorization) => ({ authorization }))]) {
          const { status, headers, text } = await send(endpoint, sentTo(endpoint), caller);
          assert.equal(status, 401, name);
          assert.equal(headers.get('www-authenticate'), 'Bearer realm="admin"', name);
          assert.equal(JSON.parse(text).status, 401, name);
        }
      }
    });

    test('every wrong value in every place of every query is refused, and changes nothing', async () => {
      const before = await newest();
      let tried = 0;
      for (const name of adminEndpointNames) {
        const endpoint = adminEndpointOf(name);
        for (const [place, sent] of wrongQueries(endpoint, sentTo(endpoint))) {
          await refused(`${name}: ${place}`, endpoint, sent, 400);
          tried += 1;
        }
      }
      assert.ok(tried > 50, `${tried} tried`);
      assert.equal(await newest(), before);
    });

    test('every wrong value in every place of every body is refused, and changes nothing', async () => {
      const before = await newest();
      let tried = 0;
      for (const name of adminEndpointNames) {
        const endpoint = adminEndpointOf(name);
        for (const [place, sent] of wrongBodies(endpoint, sentTo(endpoint))) {
          await refused(`${name}: ${place}`, endpoint, sent, 400);
          tried += 1;
        }
      }
      assert.ok(tried > 100, `${tried} tried`);
      assert.equal(await newest(), before);
    });

    test('a body that an entry needs is missed, and one of another type refused', async () => {
      for (const name of adminEndpointNames) {
        const endpoint = adminEndpointOf(name);
        const { body } = endpoint;
        const sent = sentTo(endpoint);
        const { body: _, type: __, ...bare } = sent;
        if (body && !('optional' in body)) await refused(`${name}: no body`, endpoint, bare, [400, 415]);
        if (endpoint.verb === 'GET') continue;
        for (const type of ['text/plain', 'application/xml', 'json'])
          await refused(`${name}: ${type}`, endpoint, { ...sent, type, body: '{}' }, 415);
        if (body && 'contentType' in body)
          await refused(`${name}: JSON`, endpoint, { ...sent, type: JSON_TYPE, body: '{}' }, 415);
      }
    });

    test('a name that nothing has answers 404, whatever characters it has', async () => {
      const before = await newest();
      for (const name of adminEndpointNames) {
        const endpoint = adminEndpointOf(name);
        const sent = sentTo(endpoint);
        for (const arg of pathArgsOf(endpoint)) {
          for (const text of [
            'nobody',
            '0',
            '-1',
            '99999999999999999',
            'a%00b',
            '%F0%9F%8D%B5',
            '..%2F..',
            '%22',
            '%25',
          ])
            await refused(`${name}: ${arg} ${text}`, endpoint, { ...sent, names: { ...sent.names, [arg]: text } }, 404);
          const long = 'x'.repeat(3000);
          const names = { ...sent.names, [arg]: long };
          await refused(`${name}: a long ${arg}`, endpoint, { ...sent, names }, [404, 414]);
        }
      }
      assert.equal(await newest(), before);
    });

    test('the proof needs no token, and refuses every other challenge', async () => {
      const open = (challenge: string) => send(adminProof, { names: {}, query: [['challenge', challenge]] }, {});
      assert.equal((await open('c'.repeat(43))).status, 200);
      for (const challenge of [...texts, 'c'.repeat(42), 'c'.repeat(44), `${'c'.repeat(42)}=`])
        assert.equal((await open(challenge)).status, 400, challenge);
    });
  });
}
