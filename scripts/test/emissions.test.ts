// Tests the list of declared operations that no call of a whole test run appended.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { neverAppended } from '@sealpost/dev-env/emissions';

test('a declaration is missing until a line of the run has its endpoint, type and receiver', () => {
  const all = neverAppended('');
  const react = 'TalkService.react: NOTIFIED_SEND_REACTION to members';
  for (const line of [
    react,
    'directObject: NOTIFIED_UPDATE_MESSAGE to self',
    'admin.deleteAccount: NOTIFIED_UNREGISTER_USER to friends',
  ])
    assert.ok(all.includes(line), line);
  assert.equal(new Set(all).size, all.length);
  assert.deepEqual(
    neverAppended(`${react}\n`),
    all.filter((line) => line !== react),
  );
  assert.deepEqual(neverAppended('TalkService.react: NOTIFIED_SEND_REACTION to self\n'), all);
  assert.deepEqual(neverAppended(all.join('\n')), []);
});
