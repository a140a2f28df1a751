// What the form for a new account says of its fields before anything is sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountValues, problemsOf } from '../src/chat/screens/login/join/account-rules.ts';

const rules = {
  mode: 'invite',
  userid: { pattern: '^[a-z0-9][a-z0-9._-]{0,39}$', characters: 40 },
  displayName: { characters: 5 },
  password: { leastCharacters: 8, mostBytes: 20 },
} as const;
const right: AccountValues = { userid: 'ann', displayName: 'Ann', password: 'long enough', again: 'long enough' };
const problems = (changed: Partial<AccountValues>) => problemsOf({ ...right, ...changed }, rules);
const withPassword = (password: string) => problems({ password, again: password });

test('fields that are right have no problem, with capitals and spaces around them too', () => {
  assert.deepEqual(problems({}), {});
  assert.deepEqual(problems({ userid: ' Ann.B-c_1 ', displayName: ' 😀😀😀😀😀 ' }), {});
});

test('every rule has its field', () => {
  assert.deepEqual(problemsOf({ userid: '', displayName: ' ', password: '', again: '' }, rules), {
    userid: 'empty',
    displayName: 'empty',
    password: 'empty',
  });
  assert.deepEqual(problems({ userid: 'ann b' }), { userid: 'rule' });
  assert.deepEqual(problems({ displayName: 'Annett' }), { displayName: 'long' });
  assert.deepEqual(withPassword('1234567'), { password: 'rule' });
  assert.deepEqual(withPassword('é'.repeat(11)), { password: 'long' });
  assert.deepEqual(problems({ again: 'long enougH' }), { again: 'differs' });
});

test('a password that is the user id is refused', () => {
  assert.deepEqual(problems({ userid: 'long.enough', password: 'Long.Enough', again: 'Long.Enough' }), {
    password: 'rule',
  });
});
