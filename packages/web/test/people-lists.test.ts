// Which people the lists show, in which order, and what a record says about the relation.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contactStatus } from '@sealpost/contract';
import {
  blockedMids,
  choosable,
  contactSections,
  groupsWith,
  matches,
  requestsAndRecommendations,
} from '../src/chat/people/people-lists.ts';
import { isMuted, warningAbout } from '../src/chat/people/relation.ts';
import { byMid, chatOf, contactOf, hidden } from './records.ts';

const { FRIEND_BLOCKED, DELETED_BLOCKED, RECOMMEND, RECOMMEND_BLOCKED, UNSPECIFIED } = contactStatus;

describe('the list of contacts', () => {
  const contacts = byMid(
    contactOf('zoe'),
    contactOf('ann', { favoriteTime: '5' }),
    contactOf('shop', { capableBuddy: true }),
    contactOf('carl', hidden),
    contactOf('mallory', { status: FRIEND_BLOCKED }),
    contactOf('stranger', { status: UNSPECIFIED }),
    contactOf('bea', { displayName: 'Beatrix', displayNameOverridden: 'Aunt' }),
  );

  test('shows favourites, then others by the name given here, then official accounts', () => {
    assert.deepEqual(contactSections(contacts, '', 'en'), [
      { kind: 'favorites', mids: ['ann'] },
      { kind: 'people', mids: ['bea', 'zoe'] },
      { kind: 'official', mids: ['shop'] },
    ]);
  });

  test('finds by the own name too, and finds hidden contacts', () => {
    assert.deepEqual(contactSections(contacts, 'beatr', 'en'), [{ kind: 'people', mids: ['bea'] }]);
    assert.deepEqual(contactSections(contacts, 'CARL', 'en'), [{ kind: 'people', mids: ['carl'] }]);
    assert.deepEqual(contactSections(contacts, 'mallory', 'en'), []);
  });

  test('offers favourites first to choose from, without those who are in the chat', () => {
    assert.deepEqual(choosable(contacts, '', 'en', new Set(['zoe'])), ['ann', 'bea', 'shop']);
  });

  test('lists those who are blocked, contacts or not', () => {
    const all = new Map([...contacts, ...byMid(contactOf('bad', { status: DELETED_BLOCKED }))]);
    assert.deepEqual(blockedMids(all, 'en'), ['bad', 'mallory']);
  });
});

test('a query matches words in any order', () => {
  assert.ok(matches('Ann of the Hills', 'hills ann'));
  assert.ok(!matches('Ann', 'ann bea'));
  assert.ok(matches('田中 さくら', 'さくら'));
  assert.ok(matches('Zoe\u0308 Miller', 'zo\u00eb'), 'composed and decomposed');
});

test('requests come from the state, recommendations from the server as long as nothing was decided', () => {
  const contacts = byMid(
    contactOf('asks', { status: RECOMMEND }),
    contactOf('added'),
    contactOf('away', { status: RECOMMEND_BLOCKED }),
  );
  const unknown = (mid: string) => contactOf(mid, { status: UNSPECIFIED });
  const recommended = [unknown('added'), unknown('away'), unknown('new'), contactOf('asks', { status: RECOMMEND })];
  const { requests, recommendations } = requestsAndRecommendations(contacts, recommended);
  assert.deepEqual([requests.map(({ mid }) => mid), recommendations.map(({ mid }) => mid)], [['asks'], ['new']]);
});

test('groups in common are those that both are members of, the newest first', () => {
  const chats = byMid(
    chatOf('old', { members: ['me', 'ann'], time: 1 }),
    chatOf('new', { members: ['me', 'ann'], kind: 'room', time: 2 }),
    chatOf('invited', { members: ['ann'], invited: true }),
    chatOf('other', { members: ['me', 'bea'] }),
    chatOf('ann', { members: ['me', 'ann'], kind: 'user' }),
  );
  assert.deepEqual(groupsWith(chats, 'ann'), ['new', 'old']);
});

test('a chat warns about strangers and blocked people, not about contacts and official accounts', () => {
  assert.equal(warningAbout(contactOf('ann')), undefined);
  assert.equal(warningAbout(contactOf('x', { status: UNSPECIFIED })), 'stranger');
  assert.equal(warningAbout(contactOf('x', { status: UNSPECIFIED, capableBuddy: true })), undefined);
  assert.equal(warningAbout(contactOf('x', { status: DELETED_BLOCKED, capableBuddy: true })), 'blocked');
  assert.equal(warningAbout(undefined), undefined);
});

test('a contact is muted by its bit alone', () => {
  assert.equal(isMuted(contactOf('ann', { settings: '9' })), true);
  assert.equal(isMuted(contactOf('ann', { settings: '12' })), false);
});
