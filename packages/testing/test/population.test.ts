// What a population is like: complete, consistent, in the past, and the same for the same seed.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createRpcClient, createVerbs, memoryKeyStore, type OpenedMessage } from '@sealpost/sdk';
import { contentOf, ENDS_AT, messagesOf, type SettledPerson, type SettledServer, settle, visit } from './settled.ts';

/** Returns everything that the people of a population see. */
async function wholeContent(settled: SettledServer) {
  const seen = [];
  for (const person of settled.population.people) {
    const visitor = await visit(settled, person);
    const { contacts, chats } = createVerbs(visitor.rpc, settled.time.ports);
    const { displayName, statusMessage } = await visitor.rpc.TalkService.getProfile();
    const groups = await chats.get((await chats.mids()).joined);
    const messages = await messagesOf(visitor);
    seen.push({
      displayName,
      statusMessage,
      contacts: await contacts.mids(),
      favorites: (await contacts.favorites()).sort(),
      blocked: await contacts.blocked(),
      groups: [...groups.values()].map(({ chatMid, chatName, extra }) => [
        chatMid,
        chatName,
        extra?.groupExtra?.memberMids,
      ]),
      messages: [...messages].map(([chat, all]) => [chat, all.map(contentOf)]),
    });
  }
  return seen;
}

suite('a population', () => {
  let settled: SettledServer;
  const seen = new Map<SettledPerson, Map<string, OpenedMessage[]>>();
  const everything = (): OpenedMessage[] => [...seen.values()].flatMap((chats) => [...chats.values()].flat());

  before(async () => {
    settled = await settle();
    for (const person of settled.population.people) {
      seen.set(person, await messagesOf(await visit(settled, person)));
    }
  });
  after(() => settled.server.close());

  test('has the developers and the people with names and pictures', async () => {
    const { people } = settled.population;
    assert.deepEqual(
      people.slice(0, 3).map(({ userid, password, developer }) => [userid, password, developer]),
      ['alice', 'bob', 'carol'].map((userid) => [userid, `${userid}-sealpost`, true]),
    );
    assert.equal(new Set(people.map(({ userid }) => userid)).size, 12);
    assert.equal(new Set(people.map(({ name }) => name)).size, 12);
    for (const person of people) {
      const profile = await (await visit(settled, person)).rpc.TalkService.getProfile();
      assert.equal(profile.displayName, person.name);
      assert.equal(profile.picturePath !== undefined && profile.picturePath !== '', person.hasPicture);
    }
  });

  test('all messages open, and about as many were sent as wanted', () => {
    const unopened = everything().filter(({ sealing }) => sealing.state === 'unopened');
    assert.deepEqual(unopened, []);
    const states = new Set(everything().map(({ sealing }) => sealing.state));
    assert.deepEqual([...states].sort(), ['opened', 'plain']);
    assert.ok(
      settled.population.messages >= 230 && settled.population.messages < 260,
      `${settled.population.messages}`,
    );
  });

  test('times rise and lie in the past', () => {
    for (const chats of seen.values()) {
      for (const messages of chats.values()) {
        const times = messages.map(({ createdTime }) => Number(createdTime));
        assert.deepEqual(
          times,
          times.toSorted((a, b) => a - b),
        );
        assert.ok(times.every((time) => time > ENDS_AT - 366 * 86_400_000 && time <= ENDS_AT));
      }
    }
  });

  test('both sides of a chat of two see the same', () => {
    const pairs = settled.population.chats.filter(({ kind }) => kind === 'pair');
    for (const { members } of pairs) {
      const [a, b] = members.map((number) => settled.population.people[number]) as [SettledPerson, SettledPerson];
      assert.deepEqual(
        seen.get(a)?.get(b.mid)?.map(contentOf) ?? [],
        seen.get(b)?.get(a.mid)?.map(contentOf) ?? [],
        `${a.name} and ${b.name}`,
      );
    }
  });

  test('whoever was in a group from the beginning has seen all that the others see', () => {
    for (const { mid, members, kind } of settled.population.chats) {
      if (kind === 'pair' || mid === undefined) continue;
      const founder = settled.population.people[members[0] as number] as SettledPerson;
      const known = new Map((seen.get(founder)?.get(mid) ?? []).map((message) => [message.id, contentOf(message)]));
      assert.ok(known.size > 0 || kind === 'room', mid);
      for (const chats of seen.values()) {
        for (const message of chats.get(mid) ?? []) assert.deepEqual(contentOf(message), known.get(message.id));
      }
    }
  });

  test('the keys of a person come from the backup under the recovery passphrase', async () => {
    const person = settled.population.people.find(({ keys }) => keys) as SettledPerson;
    const { server, time } = settled;
    const rpc = createRpcClient({ url: server.url, keyStore: memoryKeyStore(), ...time.ports });
    server.atEnd(() => rpc.close());
    await rpc.login({ identifier: person.userid, password: person.password });
    await rpc.recovery.restore(person.recoveryPassphrase ?? '');
    const [key] = await rpc.keyStore.ownKeys(person.mid);
    assert.deepEqual(key?.privateKey, person.keys?.privateKey);
  });
});

test('the same seed and end give the same population', async () => {
  const contents = [];
  for (let run = 0; run < 2; run++) {
    const settled = await settle({ seed: 5, people: 4, messages: 60 });
    try {
      contents.push(await wholeContent(settled));
    } finally {
      await settled.server.close();
    }
  }
  const [first = [], again] = contents;
  assert.equal(first.length, 7);
  first.forEach((person, i) => void assert.deepEqual(again?.[i], person));
});
