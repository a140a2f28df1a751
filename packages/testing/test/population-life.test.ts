// Life after the history, on virtual time: people talk, answer developers, follow invitations, and stop when told to.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createVerbs, type OpenedMessage } from '@sealpost/sdk';
import { type Life, startLife } from '@sealpost/testing/population';
import { ENDS_AT, messagesOf, type SettledPerson, type SettledServer, settle, type Visitor, visit } from './settled.ts';

const SECOND = 1_000;
const STEP = 5 * SECOND;
/** The most steps of virtual time within which something must happen: four hours. */
const MOST_STEPS = 2_880;

suite('life in a population', () => {
  let settled: SettledServer;
  let life: Life;
  let alice: Visitor;
  const errors: unknown[] = [];

  /** Lets virtual time pass until a condition is true. */
  async function lived(what: string, done: () => boolean | Promise<boolean>): Promise<void> {
    for (let step = 0; !(await done()); step++) {
      if (step > MOST_STEPS) throw new Error(`${what}: this did not happen; errors: ${errors.map(String).join()}`);
      await settled.time.advance(STEP);
    }
  }
  const personOf = (userid: string) =>
    settled.population.people.find((person) => person.userid === userid) as SettledPerson;
  const others = () => settled.population.people.filter(({ developer }) => !developer);
  const since = async (visitor: Visitor, time: number): Promise<OpenedMessage[]> =>
    [...(await messagesOf(visitor)).values()].flat().filter(({ createdTime }) => Number(createdTime) > time);
  /** Returns a friend of alice who is not a developer. */
  async function friend(): Promise<SettledPerson> {
    const mids = await createVerbs(alice.rpc, settled.time.ports).contacts.mids();
    return others().find(({ mid }) => mids.includes(mid)) as SettledPerson;
  }

  before(async () => {
    settled = await settle({ people: 5, messages: 40 });
    alice = await visit(settled, personOf('alice'));
    life = startLife({
      url: settled.server.url,
      population: settled.population,
      rate: 12,
      ports: settled.time.ports,
      onError: (error) => void errors.push(error),
    });
  });
  after(async () => {
    await life.close();
    await settled.server.close();
  });

  test('people say new things, to a developer too, and read and react', async () => {
    await lived('people talk', () => life.sent > 30);
    await lived('somebody writes where alice is', async () => (await since(alice, ENDS_AT)).length > 2);
    const talker = await visit(settled, others()[0] as SettledPerson);
    await lived('somebody reacts', async () =>
      (await since(talker, ENDS_AT)).some(({ reactions = [] }) => reactions.length > 0),
    );
    assert.ok((await since(talker, ENDS_AT)).every(({ sealing }) => sealing.state !== 'unopened'));
  });

  test('a friend reads what a developer writes, and answers', async () => {
    const { mid } = await friend();
    const { id, createdTime } = await alice.rpc.sendText(mid, 'Are you there?');
    await lived('an answer comes', async () =>
      (await since(alice, Number(createdTime))).some(({ from, to }) => from === mid && to === alice.rpc.session?.mid),
    );
    const [range] = await alice.rpc.TalkService.getMessageReadRange([mid]);
    const readers = Object.entries(range?.ranges ?? {}).filter(([, ranges]) =>
      ranges.some(({ endMessageId }) => Number(endMessageId) >= Number(id)),
    );
    assert.ok(readers.some(([reader]) => reader === mid));
  });

  test('a friend follows an invitation', async () => {
    const { mid } = await friend();
    const { chats } = createVerbs(alice.rpc, settled.time.ports);
    const chatMid = await chats.createGroup({ name: 'Picnic', members: [mid] });
    const members = async () => (await chats.members([chatMid])).get(chatMid)?.members ?? [];
    await lived('the friend joins', async () => (await members()).includes(mid));
  });

  test('people whose sessions were ended log in again, and answer', async () => {
    assert.deepEqual(errors, []);
    const { slices } = settled.server.server;
    const { sent } = life;
    for (const { mid } of others()) {
      const account = await slices.accounts.show(mid);
      await slices.sessions.revokeAll(account?.id ?? 0, 'ended by the test');
    }
    await lived('people go on', () => life.sent > sent + 5);
    const { mid } = await friend();
    const { createdTime } = await alice.rpc.sendText(mid, 'Still there?');
    await lived('an answer comes', async () =>
      (await since(alice, Number(createdTime))).some(({ from, to }) => from === mid && to === alice.rpc.session?.mid),
    );
  });

  test('after the end nobody says anything, and no session is left', async () => {
    await life.close();
    const { sent } = life;
    const now = settled.time.now();
    await settled.time.advance(600 * SECOND);
    assert.equal(life.sent, sent);
    assert.deepEqual(await since(alice, now), []);
    const { slices, store } = settled.server.server;
    for (const { mid, name } of others()) {
      const account = await slices.accounts.show(mid);
      const open = await store.read((reader) => slices.sessions.list(reader, account?.id ?? 0));
      assert.deepEqual(open, [], name);
    }
  });
});
