// Sends unexpected values for every argument and field of every method, generated from the contract.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import {
  bodyWith,
  complaint,
  createRawClient,
  errorsOf,
  type Path,
  placesIn,
  type RawClient,
  type Sample,
  sampleArgs,
  type WrongValue,
  wrongValues,
} from '@sealpost/conformance/testing';
import { isMid, type MethodName, pathOf } from '@sealpost/contract';
import { methodNames, methodOf } from '@sealpost/contract/schemas';
import { seed } from '@sealpost/dev-env/chance';
import { type DatabaseKind, databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { createRandom } from '@sealpost/dev-env/workload/random';
import { sql } from '../../../src/platform/store/sql.ts';

const wrongNames = Object.keys(wrongValues) as WrongValue[];

/**
 * The share of the values that is sent, drawn with the seed of the run. Most values are refused before anything reaches
 * the store, so PostgreSQL gets fewer.
 */
const ONE_IN: Record<DatabaseKind, number> = { sqlite: 1, postgres: 8 };

/** Methods that wait for operations. A slow answer of such a method is not an error. */
const waiting: ReadonlySet<MethodName> = new Set<MethodName>(['TalkService.fetchOps']);

/** Methods whose failures write to the store, because the store counts failed logins. */
const counted: ReadonlySet<MethodName> = new Set<MethodName>([
  'AuthService.loginV2',
  'PrimaryDeviceService.changePassword',
  'PrimaryDeviceService.changeIdentifiers',
  'PrimaryDeviceService.deleteAccount',
]);

/** Returns a reader of a value that is different after every change of the database. */
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
    const random = createRandom(seed);

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

    const post = (method: MethodName, body: string) =>
      raw.send(pathOf(method), {
        body,
        headers: { 'X-LST': '1000' },
        ...(methodOf(method).auth === 'user' && { token }),
      });

    /**
     * Returns whether a refused call stores anything. If the database changed, a second attempt shows whether the
     * change came from the server's own work.
     */
    async function stores(method: MethodName, body: string): Promise<boolean> {
      const before = await probe?.read();
      await post(method, body);
      return (await probe?.read()) !== before;
    }

    /** Sends a wrong value in one place; returns what is wrong with the server's answer. */
    async function probeValue(
      method: MethodName,
      args: readonly unknown[],
      path: Path,
      name: WrongValue,
    ): Promise<string[]> {
      const where = `${method} with ${name} at ${path.join('.')}`;
      const body = bodyWith(args, path, wrongValues[name]);
      const before = await probe?.read();
      const answer = await post(method, body);
      const problem = complaint(method, answer);
      if (problem) return [`${where}: ${problem}: ${answer.text.slice(0, 200)}`];
      const changed = !counted.has(method) && answer.status !== 200 && (await probe?.read()) !== before;
      return changed && (await stores(method, body)) ? [`${where}: refused, yet something was stored`] : [];
    }

    for (const method of methodNames) {
      if (methodOf(method).args.length === 0) continue;
      test(`${method} answers wrong values with typed errors`, async () => {
        const args = sampleArgs(method, sample);
        const problems: string[] = [];
        if (waiting.has(method)) {
          const pairs = placesIn(args).flatMap((path) => wrongNames.map((name) => [path, name] as const));
          const answers = await Promise.all(
            pairs.map(([path, name]) => post(method, bodyWith(args, path, wrongValues[name]))),
          );
          answers.forEach((answer, index) => {
            const problem = complaint(method, answer);
            if (problem) problems.push(`${method} ${pairs[index]}: ${problem}: ${answer.text.slice(0, 200)}`);
          });
        } else {
          for (const path of placesIn(args)) {
            for (const name of wrongNames.filter(() => random.oneIn(ONE_IN[kind])))
              problems.push(...(await probeValue(method, args, path, name)));
          }
        }
        assert.deepEqual(problems, []);
      });
    }

    test('A text that is not a mid is refused with the name of its field', async () => {
      const problems: string[] = [];
      const refused = new Set<MethodName>();
      const { chat } = await caller.client.TalkService.createChat({
        reqSeq: 3,
        type: 1,
        targetUserMids: [sample.friend],
      });
      for (const method of methodNames) {
        const args = sampleArgs(method, { ...sample, chat: chat.chatMid });
        for (const path of placesIn(args)) {
          const value = path.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], args);
          if (typeof value !== 'string' || !isMid(value)) continue;
          const answer = await post(method, bodyWith(args, path, '"x"'));
          if (!answer.text.includes('invalid mid')) continue;
          refused.add(method);
          const [index, ...rest] = path;
          const inList = typeof rest.at(-1) === 'number';
          const field = [methodOf(method).args[index as number]?.name, ...(inList ? rest.slice(0, -1) : rest)].join(
            '.',
          );
          if (!answer.text.includes(`invalid mid: ${field} \\"x\\" is not the mid of a`))
            problems.push(`${method} at ${field}: ${answer.text}`);
        }
      }
      assert.deepEqual(problems, []);
      assert.ok(refused.size >= 30, [...refused].join());
    });

    test('Text that cannot be stored is refused with the name of its argument, where the argument has a name', async () => {
      const reasonOf = async (method: MethodName, body: string) => (await post(method, body)).body.data?.reason;
      const cases: readonly [MethodName, body: string, field: string][] = [
        ['TalkService.sendChatChecked', '[5,"x\\u0000","0",0]', 'consumer'],
        ['TalkService.sendMessage', '[5,{"to":"x","text":"\\u0000"}]', 'message.text'],
        ['TalkService.inviteIntoChat', '[5,"x\\u0000",["x"]]', 'body[1]'],
        ['TalkService.findAndAddContactsByMid', '[5,"x\\u0000",0,""]', 'body[1]'],
      ];
      for (const [method, body, field] of cases) {
        assert.ok(String(await reasonOf(method, body)).startsWith(`${field} holds NUL`), `${method} with ${body}`);
      }
    });

    test('The sample arguments fit the schemas, so that each case above is wrong in one place only', async () => {
      const unfit: string[] = [];
      for (const method of methodNames) {
        if (waiting.has(method) || methodOf(method).args.length === 0) continue;
        const answer = await post(method, JSON.stringify(sampleArgs(method, sample)));
        const names = errorsOf(answer);
        if (names.includes('REQUEST_SCHEMA') || names.includes('REQUEST_ARGUMENT_TYPE'))
          unfit.push(`${method}: ${answer.text}`);
      }
      assert.deepEqual(unfit, []);
    });

    test('Missing, too many and no arguments, and bodies that are not a list, are refused with 10003', async () => {
      for (const method of methodNames) {
        const { args } = methodOf(method);
        const tooMany = await post(method, JSON.stringify([...sampleArgs(method, sample), null, null, null, null]));
        assert.equal(tooMany.body.code, 10003, `${method}: ${tooMany.text}`);
        for (const body of ['{}', 'null', '"text"', '1', '']) {
          assert.equal((await post(method, body)).body.code, 10003, `${method} with ${body}`);
        }
        if (args[0] && !args[0].optional) assert.equal((await post(method, '[]')).body.code, 10003, method);
      }
    });
  });
}
