// A foreign id gets the same refusal as an id that does not exist. Both cause the same queries, so the response time
// does not tell them apart.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import {
  type AccessRule,
  accessRules,
  createPeople,
  createRawClient,
  keyAndSessionRules,
  type People,
  type RawClient,
  relations,
} from '@sealpost/conformance/testing';
import { countedStatements } from '@sealpost/dev-env/counted-statements';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { importPack } from '@sealpost/dev-env/packs';
import { operator } from '@sealpost/dev-env/people';
import { noRegularWork } from '../../no-regular-work.ts';

type World = Parameters<AccessRule['args']>[0];

let server: TestServer;
let raw: RawClient;
let people: People;
const statements = countedStatements();

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
  statements.restore();
  raw?.close();
  await server?.close();
});

/** Returns the same world, but every id in it is one that was never issued. */
function nowhere(world: World): World {
  const hex = (bytes: number) => randomBytes(bytes).toString('hex');
  const absent = String(Number(world.groupMessage) + 1_000_000);
  return {
    ...world,
    // The existence of an account is not secret, nor is the fact that it is official.
    mids: { ...world.mids, member: `u${hex(16)}` },
    group: `c${hex(16)}`,
    room: `r${hex(16)}`,
    groupMessage: absent,
    roomMessage: absent,
    directMessage: absent,
    loginSession: world.loginSession && String(Number(world.loginSession) + 1_000_000),
    pendingLogin: world.pendingLogin && `SQ${hex(16)}`,
    product: String(Number(world.product) + 1_000_000),
    sticker: String(Number(world.sticker) + 1_000_000),
  };
}

async function queriesOf({ method, args }: AccessRule, world: World): Promise<string[]> {
  const values = args(world);
  return statements.of(() => people.call('stranger', method, values));
}

const someWorld: World = {
  mids: Object.fromEntries(relations.map((relation) => [relation, relation])) as World['mids'],
  ...{ caller: 'caller', group: 'group', groupMessage: '1', groupKey: [[], [], []], groupKeyId: 1, room: 'room' },
  ...{ roomMessage: '1', direct: 'direct', directMessage: '1', loginSession: '1', pendingLogin: 'login' },
  ...{ official: 'official', product: '1', sticker: '1', channelRefreshToken: 'token' },
};
const namesSomething = ({ args }: AccessRule): boolean =>
  JSON.stringify(args(someWorld)) !== JSON.stringify(args(nowhere(someWorld)));

/** Rules whose arguments name something that a stranger may not access. */
const rules = [...accessRules, ...keyAndSessionRules].filter(
  (rule) => !rule.allowed.includes('stranger') && namesSomething(rule),
);

rules.forEach((rule, index) => {
  test(`${rule.object}, ${rule.access}: ${rule.method} (rule ${index + 1})`, async () => {
    const things = (await people.things(rule.object))('stranger');
    const absent = nowhere(things);
    // The first calls fill the server's caches, so that the counted calls all find the same cache.
    await queriesOf(rule, things);
    await queriesOf(rule, absent);
    const foreign = await queriesOf(rule, things);
    assert.deepEqual(foreign, await queriesOf(rule, absent));
    assert.ok(foreign.length > 0);
  });
});
