// A foreign id gets the same refusal as an id that does not exist. Both cause the same queries, and these find the same
// number of rows. So the response time does not tell them apart.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import {
  type AccessRule,
  absentWorld,
  createPeople,
  createRawClient,
  type People,
  type RawClient,
  strangerRules,
} from '@sealpost/conformance/testing';
import type { MethodName } from '@sealpost/contract';
import { type CountedStatement, countedStatements } from '@sealpost/dev-env/counted-statements';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { importPack } from '@sealpost/dev-env/packs';
import { operator } from '@sealpost/dev-env/people';
import { noRegularWork } from '../../no-regular-work.ts';

type World = Parameters<AccessRule['args']>[0];

let server: TestServer;
let raw: RawClient;
let people: People;

before(async () => {
  server = await startServer({ database: 'sqlite', ports: { timers: noRegularWork } });
  raw = createRawClient({ url: server.url });
  people = await createPeople(
    {
      user: (relation) => server.user(relation),
      official: async () =>
        (
          await server.server.slices.accounts.create({
            ...{ userid: 'official', password: 'password of the official', displayName: 'official', kind: 'official' },
          })
        ).mid,
      async product(owner) {
        const pack = { name: 'Owned', nameText: { maxCharacters: 9 }, pictures: ['wave'] };
        const { id, pictures } = await importPack(server, pack);
        await operator(server).grantProduct({ product: id, account: owner });
        return { id, sticker: pictures[0]?.id as string };
      },
    },
    raw,
  );
});
after(async () => {
  raw?.close();
  await server?.close();
});

async function queriesOf({ method, args }: AccessRule, world: World): Promise<CountedStatement[]> {
  const values = args(world);
  return countedStatements(() => people.call('stranger', method, values));
}

/** Calls whose things are no secret. Their queries may find a foreign thing before the call is refused. */
const known: Readonly<Partial<Record<MethodName, string>>> = {
  'BuddyService.getBuddyDetail': 'anybody who knows a mid may see the user',
  'BuddyService.getBuddyProfile': 'anybody who knows a mid may see the user',
  'ShopService.previewCustomizedImageText': 'the error tells a product of others from an absent one',
  'ShopService.setCustomizedImageText': 'the error tells a product of others from an absent one',
  'PrimaryDeviceService.scanQrCode': 'the error says that the code was scanned',
};

strangerRules.forEach((rule, index) => {
  test(`${rule.object}, ${rule.access}: ${rule.method} (rule ${index + 1})`, async () => {
    const things = (await people.things(rule.object))('stranger');
    const absent = absentWorld(things);
    // The first calls fill the server's caches, so that the counted calls all find the same cache.
    await queriesOf(rule, things);
    await queriesOf(rule, absent);
    const [foreign, none] = [await queriesOf(rule, things), await queriesOf(rule, absent)];
    assert.deepEqual(statementsIn(foreign), statementsIn(none));
    assert.ok(foreign.length > 0);
    assert.equal(isDeepStrictEqual(foreign, none), known[rule.method] === undefined, 'the rows that were found');
  });
});

const statementsIn = (queries: readonly CountedStatement[]): string[] => queries.map(({ sql }) => sql);
