// Every argument and every field of every method against values it does not expect, generated from the contract.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { always, type MethodName, pathOf } from '@sealpost/contract';
import { methodNames, methodOf } from '@sealpost/contract/schemas';
import type { TSchema } from 'typebox';
import { sql } from '../src/store/sql.ts';
import { type DatabaseKind, databases, startServer, type TestServer, type TestUser } from './harness.ts';
import { createRawClient, errorsOf, type RawAnswer, type RawClient } from './raw-client.ts';

/** Name -> JSON text, because some of it is no value that JSON.stringify could make. */
const wrong: Readonly<Record<string, string>> = {
  null: 'null',
  true: 'true',
  '0': '0',
  '-1': '-1',
  '1.5': '1.5',
  '2^31': '2147483648',
  '2^53 + 1': '9007199254740993',
  '2^64 in a string': '"18446744073709551616"',
  'an exponent': '1e400',
  'the empty string': '""',
  'a blank': '" "',
  '100 KiB of text': `"${'x'.repeat(100 * 1024)}"`,
  '1 MiB of text': `"${'x'.repeat(1024 * 1024)}"`,
  NUL: '"a\\u0000b"',
  'half of a surrogate pair': '"a\\ud800b"',
  'an empty list': '[]',
  'an empty struct': '{}',
  '100 nested lists': `${'['.repeat(100)}${']'.repeat(100)}`,
  '20 nested lists': `${'['.repeat(20)}${']'.repeat(20)}`,
  'an unknown number of an enum': '4711',
  'a date': '"2026-01-01T00:00:00.000Z"',
  SQL: '"\' or 1=1; drop table account; --"',
  'the name of an inherited property': '"constructor"',
};

interface Sample {
  readonly friend: string;
  readonly chat: string;
  readonly message: string;
}

type Schema = TSchema & {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly description?: string;
  readonly minimum?: number;
};

/** A value that fits the schema, of things that exist where the name tells which. */
function fitting(schema: Schema, name: string, sample: Sample): unknown {
  const describes = (word: string) => schema.description?.startsWith(word) ?? false;
  if (describes('mid')) return /chat|box|room|consumer|group/i.test(name) ? sample.chat : sample.friend;
  if (describes('i64')) return /message|id/i.test(name) ? sample.message : '0';
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return fitting(schema.anyOf[0] as Schema, name, sample);
  switch (schema.type) {
    case 'object':
      if (schema.patternProperties)
        return { '2': fitting(Object.values(schema.patternProperties)[0] as Schema, name, sample) };
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, field]) => [key, fitting(field, key, sample)]),
      );
    case 'array':
      return [fitting(schema.items ?? ({} as Schema), name, sample)];
    case 'string':
      return /messageId/i.test(name) ? sample.message : 'QQ==';
    case 'boolean':
      return false;
    default:
      return Math.max(schema.minimum ?? 1, 1);
  }
}

type Path = readonly (string | number)[];

/** The place itself, then everything inside. */
function places(value: unknown, path: Path): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Object.keys(value).map((key) => (Array.isArray(value) ? Number(key) : key));
  return [path, ...inside.flatMap((key) => places((value as Record<string | number, unknown>)[key], [...path, key]))];
}

const MARK = '"the value"';

function bodyWith(args: readonly unknown[], path: Path, json: string): string {
  const copy = structuredClone(args) as unknown;
  let at = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
  at[path.at(-1) as string | number] = 'the value';
  return JSON.stringify(copy).replace(MARK, () => json);
}

/** What is wrong with an answer. */
function complaint(method: MethodName, answer: RawAnswer): string | undefined {
  const { status, body } = answer;
  if (status === 200) return body.code === 0 && body.message === 'OK' ? undefined : 'success without OK';
  const names = errorsOf(answer);
  const allowed: readonly string[] = [...always, ...methodOf(method).errors, 'BODY_TOO_LARGE'];
  if (status >= 500) return `HTTP ${status}`;
  if (names.length === 0) return 'no known error';
  if (!names.some((name) => allowed.includes(name))) return `undeclared error ${names.join()}`;
  const reason: unknown = body.data?.reason ?? body.data?.alertMessage;
  if (typeof reason !== 'string' || reason === '') return 'error without a reason';
  return undefined;
}

/** Polls that wait for others: an answer that takes its time is no refusal. */
const waiting: ReadonlySet<MethodName> = new Set<MethodName>(['TalkService.fetchOps']);

/** Something that changes whenever the database does. */
function changeProbe(server: TestServer, kind: DatabaseKind): { read(): Promise<string>; close(): void } {
  if (kind === 'sqlite') {
    const database = new DatabaseSync(`${server.dataDir}/sealpost.db`, { readOnly: true });
    const version = database.prepare('pragma data_version');
    return { read: async () => JSON.stringify(version.get()), close: () => database.close() };
  }
  const operations = sql<{ total: number }>('select coalesce(sum(revision), 0) as total from operation_head');
  return {
    read: async () => String((await server.server.store.read((reader) => reader.one(operations)))?.total),
    close: () => {},
  };
}

for (const kind of databases) {
  describe(`bad input on ${kind}`, () => {
    let server: TestServer;
    let raw: RawClient;
    let caller: TestUser;
    let token: string;
    let sample: Sample;
    let probe: ReturnType<typeof changeProbe> | undefined;

    before(async () => {
      server = await startServer({ database: kind });
      raw = createRawClient({ url: server.url });
      caller = await server.user('caller');
      const friend = await server.user('friend');
      token = caller.client.session?.tokens.accessToken as string;
      const { chat } = await caller.client.TalkService.createChat({
        reqSeq: 2,
        type: 0,
        name: 'tea',
        targetUserMids: [friend.mid],
      });
      const message = await caller.client.sendText(friend.mid, 'hello');
      sample = { friend: friend.mid, chat: chat.chatMid, message: message.id };
      probe = changeProbe(server, kind);
    });
    after(async () => {
      probe?.close();
      raw.close();
      await server.close();
    });

    const sampleArgs = (method: MethodName) =>
      methodOf(method).args.map(({ name, schema }) => fitting(schema as Schema, name, sample));
    const post = (method: MethodName, body: string) =>
      raw.send(pathOf(method), {
        body,
        headers: { 'X-LST': '1000' },
        ...(methodOf(method).auth === 'user' && { token }),
      });

    /** Whether a refused call stores anything. The server tidies up by itself now and then: that happens once. */
    async function stores(method: MethodName, body: string): Promise<boolean> {
      const before = await probe?.read();
      await post(method, body);
      return (await probe?.read()) !== before;
    }

    /** One wrong value in one place; answers what is wrong with the server. */
    async function probeValue(
      method: MethodName,
      args: readonly unknown[],
      path: Path,
      name: string,
    ): Promise<string[]> {
      const where = `${method} with ${name} at ${path.join('.')}`;
      const body = bodyWith(args, path, wrong[name] as string);
      const before = await probe?.read();
      const answer = await post(method, body);
      const problem = complaint(method, answer);
      if (problem) return [`${where}: ${problem}: ${answer.text.slice(0, 200)}`];
      const changed = answer.status !== 200 && (await probe?.read()) !== before;
      return changed && (await stores(method, body)) ? [`${where}: refused, yet something was stored`] : [];
    }

    for (const method of methodNames) {
      if (methodOf(method).args.length === 0) continue;
      test(`${method} answers wrong values with typed errors`, async () => {
        const args = sampleArgs(method);
        const problems: string[] = [];
        if (waiting.has(method)) {
          const cases = places(args, []).filter((path) => path.length > 0);
          const pairs = cases.flatMap((path) => Object.keys(wrong).map((name) => [path, name] as const));
          const answers = await Promise.all(
            pairs.map(([path, name]) => post(method, bodyWith(args, path, wrong[name] as string))),
          );
          answers.forEach((answer, index) => {
            const problem = complaint(method, answer);
            if (problem) problems.push(`${method} ${pairs[index]}: ${problem}: ${answer.text.slice(0, 200)}`);
          });
        } else {
          for (const path of places(args, [])) {
            if (path.length === 0) continue;
            for (const name of Object.keys(wrong)) problems.push(...(await probeValue(method, args, path, name)));
          }
        }
        assert.deepEqual(problems, []);
      });
    }

    test('The sample arguments fit the schemas, so that each case above is wrong in one place only', async () => {
      const unfit: string[] = [];
      for (const method of methodNames) {
        if (waiting.has(method) || methodOf(method).args.length === 0) continue;
        const answer = await post(method, JSON.stringify(sampleArgs(method)));
        const names = errorsOf(answer);
        if (names.includes('REQUEST_SCHEMA') || names.includes('REQUEST_ARGUMENT_TYPE'))
          unfit.push(`${method}: ${answer.text}`);
      }
      assert.deepEqual(unfit, []);
    });

    test('Missing, too many and no arguments, and bodies that are no list, are refused with 10003', async () => {
      for (const method of methodNames) {
        const { args } = methodOf(method);
        const tooMany = await post(method, JSON.stringify([...sampleArgs(method), null, null, null, null]));
        assert.equal(tooMany.body.code, 10003, `${method}: ${tooMany.text}`);
        for (const body of ['{}', 'null', '"text"', '1', '']) {
          assert.equal((await post(method, body)).body.code, 10003, `${method} with ${body}`);
        }
        if (args[0] && !args[0].optional) assert.equal((await post(method, '[]')).body.code, 10003, method);
      }
    });
  });
}
