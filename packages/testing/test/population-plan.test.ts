// The plan of a history: pure data, so that large ones can be looked at in a moment.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Deed, SendAction } from '../src/population/deeds.ts';
import { planHistory } from '../src/population/history.ts';
import { friendshipsOf } from '../src/population/people.ts';
import { ENDS_AT } from './settled.ts';

const HOUR = 3_600_000;
const plan = planHistory({
  seed: 7,
  people: 50,
  developers: ['alice', 'bob', 'carol'],
  years: 2,
  messages: 20_000,
  endsAt: ENDS_AT,
});
const sends = plan.deeds.filter((deed): deed is Deed & SendAction => deed.do === 'send');

suite('the plan of a history', () => {
  test('has every kind of deed and content', () => {
    const kinds = new Set(plan.deeds.map((deed) => deed.do));
    assert.deepEqual([...kinds].sort(), [
      ...['accept', 'arrive', 'befriend', 'block', 'create', 'favour', 'favourChat', 'invite', 'leave', 'mute'],
      ...['muteChat', 'react', 'read', 'rename', 'send', 'unsend'],
    ]);
    const contents = new Set(sends.map(({ content }) => content.kind));
    assert.deepEqual([...contents].sort(), ['contact', 'file', 'picture', 'place', 'sticker', 'text']);
    assert.ok(sends.some(({ replyTo }) => replyTo !== undefined));
    assert.ok(sends.some(({ content }) => content.kind === 'text' && content.mentions));
    assert.ok(Math.abs(sends.length - 20_000) < 50, `${sends.length}`);
  });

  test('deeds are in order, in the past, and refer to earlier messages of the same chat', () => {
    const chatOf = new Map<number, number>();
    let now = ENDS_AT - 2 * 365 * 24 * HOUR;
    for (const deed of plan.deeds) {
      assert.ok(deed.at >= now && deed.at < ENDS_AT);
      now = deed.at;
      if (deed.do === 'send') chatOf.set(deed.message, deed.chat);
      if (deed.do === 'send' && deed.replyTo !== undefined) assert.equal(chatOf.get(deed.replyTo), deed.chat);
      if (deed.do === 'read') assert.equal(chatOf.get(deed.message), deed.chat);
      if (deed.do === 'react' || deed.do === 'unsend') assert.ok(chatOf.has(deed.message));
    }
  });

  test('only those who are in a chat speak there', () => {
    const members = new Map<number, Set<number>>();
    for (const { number, kind, members: first } of plan.chats) {
      members.set(number, new Set(kind === 'group' ? first.slice(0, 1) : first));
    }
    for (const deed of plan.deeds) {
      if (deed.do === 'accept') members.get(deed.chat)?.add(deed.by);
      if (deed.do === 'leave') members.get(deed.chat)?.delete(deed.by);
      if (deed.do === 'send' || deed.do === 'read') {
        assert.ok(members.get(deed.chat)?.has(deed.by), JSON.stringify(deed));
      }
    }
  });

  test('people talk in four languages, most in the evening and nobody deep in the night', () => {
    assert.equal(new Set(plan.people.map(({ language }) => language.code)).size, 4);
    const hours = Array.from({ length: 24 }, () => 0);
    for (const { at, chat } of sends) {
      const ahead = plan.chats[chat]?.language.hoursAhead ?? 0;
      const hour = new Date(at + ahead * HOUR).getUTCHours();
      hours[hour] = (hours[hour] ?? 0) + 1;
    }
    const [night = 0, evening = 0] = [hours[3], hours[20]];
    assert.ok(night * 20 < evening, hours.join());
  });

  test('no line has a place for a word that is missing', () => {
    for (const { content } of sends) if (content.kind === 'text') assert.doesNotMatch(content.text, /[{}|+]/);
  });

  test('a group whose members can all seal stays so', () => {
    const seals = (number: number) => plan.people[number]?.keys !== undefined;
    const sealed = plan.chats.filter(({ kind, members }) => kind === 'group' && members.every(seals));
    assert.ok(sealed.length > 2);
    for (const { later } of sealed) assert.ok(later.every(seals));
  });

  test('everybody has friends, and the developers have more', () => {
    const friends = (number: number) => friendshipsOf(7, plan.people).filter((pair) => pair.includes(number)).length;
    const counts = plan.people.map(({ number }) => friends(number));
    assert.ok(Math.min(...counts) >= 3);
    assert.ok(
      counts.slice(0, 3).every((count) => count >= 8),
      counts.join(),
    );
  });

  test('the same seed gives the same plan, another seed another one', () => {
    const small = { people: 10, developers: ['alice'], years: 1, messages: 200, endsAt: ENDS_AT };
    assert.deepEqual(planHistory({ ...small, seed: 3 }), planHistory({ ...small, seed: 3 }));
    assert.notDeepEqual(planHistory({ ...small, seed: 4 }).deeds, planHistory({ ...small, seed: 3 }).deeds);
  });

  test('a larger population has different names', () => {
    const { people } = planHistory({ seed: 7, people: 300, developers: [], years: 1, messages: 10, endsAt: ENDS_AT });
    assert.equal(new Set(people.map(({ userid }) => userid)).size, 300);
    assert.ok(people.every(({ name }) => [...name].length <= 20));
  });
});
