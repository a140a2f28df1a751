// Decisions about keys and trust: what is offered, and what is asked.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loginTypes, type PendingLogin } from '@sealpost/contract';
import type { Trust } from '../src/chat/client/protocol.ts';
import { withKeyChanges } from '../src/chat/rows/key-changes.ts';
import { type Row, rowsOf } from '../src/chat/rows/rows.ts';
import { afterPin, firstStep, waitingLogins } from '../src/chat/safety/approval.ts';
import {
  digitGroups,
  inOrder,
  isLoginAddress,
  losesKeys,
  newAlarms,
  openAction,
  pinOf,
  sendChoices,
  sessionName,
  strengthLevel,
} from '../src/chat/safety/decisions.ts';
import { programOf } from '../src/chat/safety/program-of.ts';
import { loginProblemOf } from '../src/chat/screens/login/login-problem.ts';
import { duration } from '../src/words/numbers.ts';

const login = (fields: Partial<PendingLogin> = {}): PendingLogin => ({
  loginId: 'L1',
  kind: 'CREDENTIAL',
  loginType: loginTypes.ID_CREDENTIAL,
  systemName: 'a browser',
  modelName: '',
  remoteAddress: '192.0.2.1',
  requestedTime: '1000',
  expiresTime: '181000',
  state: 'waiting',
  ...fields,
});

describe('a failed login', () => {
  test('is told by what a person can do', () => {
    const failed = (name: string, fields = {}) => loginProblemOf({ name, fields });
    assert.deepEqual(failed('GatewayError', { error: 'INVALID_IDENTITY_CREDENTIAL' }), { kind: 'wrong' });
    assert.deepEqual(failed('GatewayError', { error: 'ABUSE_BLOCK' }), { kind: 'disabled' });
    assert.deepEqual(failed('NetworkError'), { kind: 'network' });
    assert.deepEqual(failed('AbortError'), { kind: 'cancelled' });
    assert.deepEqual(failed('LoginError', { kind: 'refused' }), { kind: 'over' });
    assert.deepEqual(failed('LoginError', { kind: 'unsafe' }), { kind: 'unsafe' });
    assert.deepEqual(failed('GatewayError', { error: 'SOMETHING_NEW' }), { kind: 'other' });
  });

  test('says how long to wait', () => {
    const fields = { error: 'EXCESSIVE_ACCESS', retryAfterMs: 8_000 };
    assert.deepEqual(loginProblemOf({ name: 'GatewayError', fields }), { kind: 'too-many', waitMs: 8_000 });
    const busy = loginProblemOf({ name: 'GatewayError', fields: { error: 'SERVER_BUSY' } });
    assert.ok(busy.kind === 'busy' && busy.waitMs > 0);
  });
});

describe('a device that is let in', () => {
  test('is refused help by a browser that lacks the keys which it asks for', () => {
    const sealed = { login: login({ loginType: loginTypes.ID_CREDENTIAL_WITH_E2EE }) };
    assert.equal(firstStep(sealed, true), 'about');
    assert.equal(firstStep(sealed, false), 'lacks-keys');
    assert.equal(firstStep({ login: login() }, false), 'about');
  });

  test('shows words only if keys are handed over', () => {
    assert.equal(afterPin({ keyIds: [1], words: 'lusab' }), 'words');
    assert.equal(afterPin(undefined), 'done');
  });

  test('is asked for by itself when it waits for a password login', () => {
    const found = waitingLogins([
      login({ loginId: 'later', requestedTime: '2000' }),
      login({ loginId: 'code', kind: 'QR', state: 'scanned' }),
      login({ loginId: 'over', state: 'denied' }),
      login({ loginId: 'first' }),
    ]);
    assert.deepEqual(
      found.map(({ loginId }) => loginId),
      ['first', 'later'],
    );
  });

  test('has a PIN of six digits and an address with its key', () => {
    assert.equal(pinOf(' 123 456'), '123456');
    assert.equal(pinOf('１２３４５６'), '123456');
    assert.equal(pinOf('12345'), undefined);
    assert.equal(pinOf('12345a'), undefined);
    assert.ok(isLoginAddress('https://example.org/q/SQ1?secret=abc&e2eeVersion=1 '));
    assert.ok(!isLoginAddress('https://example.org/'));
    assert.ok(!isLoginAddress('hello'));
  });
});

describe('what is offered', () => {
  test('for a message that stays sealed', () => {
    assert.equal(openAction('unknown-key', false, false), 'keys');
    assert.equal(openAction('unknown-key', true, false), 'again');
    assert.equal(openAction('tampered', true, false), 'compare');
    assert.equal(openAction('tampered', true, true), 'none');
    assert.equal(openAction('repeated', true, false), 'none');
  });

  test('for a message that was not sent', () => {
    assert.deepEqual(sendChoices('would-downgrade', false), { keys: false, compare: true, plain: true });
    assert.deepEqual(sendChoices('would-downgrade', true), { keys: false, compare: false, plain: true });
    assert.deepEqual(sendChoices('own-key-missing', false), { keys: true, compare: false, plain: false });
    assert.deepEqual(sendChoices('NOT_A_MEMBER', false), { keys: false, compare: false, plain: false });
    // Nothing goes in the clear because a key is suspect.
    assert.equal(sendChoices('verified-changed', false).plain, false);
  });

  test('as the strength of a passphrase: full only from what a backup takes', () => {
    assert.deepEqual([0, 3, 6, 9, 13, 13.9, 14, 40].map(strengthLevel), [0, 0, 1, 2, 3, 3, 4, 4]);
  });

  test('before a logout that may be the end of the keys', () => {
    const alone = [{ current: true }];
    assert.ok(losesKeys({ hasKeys: true, backedUp: false, sessions: alone }));
    assert.ok(!losesKeys({ hasKeys: true, backedUp: true, sessions: alone }));
    assert.ok(!losesKeys({ hasKeys: false, backedUp: false, sessions: alone }));
    assert.ok(!losesKeys({ hasKeys: true, backedUp: false, sessions: [...alone, { current: false }] }));
  });
});

describe('lists', () => {
  test('have this browser first, then the device that was used last', () => {
    const session = (loginSessionId: string, lastSeenTime: string, current = false) => ({
      loginSessionId,
      systemName: 'system',
      modelName: '',
      name: '',
      remoteAddress: '',
      createdTime: '1',
      lastSeenTime,
      current,
    });
    const order = inOrder([session('old', '1'), session('here', '2', true), session('new', '3')]);
    assert.deepEqual(
      order.map(({ loginSessionId }) => loginSessionId),
      ['here', 'new', 'old'],
    );
    assert.equal(sessionName({ name: '', systemName: 'system' }), 'system');
    assert.equal(sessionName({ name: 'Desk', systemName: 'system' }), 'Desk');
    assert.equal(
      programOf({ systemName: 'Sealpost web (Firefox, Linux)', modelName: '' }),
      'Sealpost web (Firefox, Linux)',
    );
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    assert.equal(programOf({ systemName: 'bot', modelName: agent }), 'bot · Firefox, Linux');
  });

  test('of warnings have those first that nobody has seen', () => {
    const alarm = (id: string, seen: boolean) => ({ id, reason: 'forked', time: 1, detail: '', seen });
    const trust: Trust = {
      ownKey: 'ready',
      offersBackup: false,
      keyChanges: {},
      alarms: [alarm('a', true), alarm('b', false)],
    };
    assert.deepEqual(
      newAlarms(trust).map(({ id }) => id),
      ['b'],
    );
  });

  test('of digits have twelve groups', () => {
    assert.equal(digitGroups('12345 '.repeat(12)).length, 12);
    assert.equal(duration(125_000), '2:05');
    assert.equal(duration(0), '0:00');
  });
});

describe('the line of a new key', () => {
  const message = (id: string, time: number) =>
    ({ id, from: 'u1', to: 'u2', createdTime: String(time), contentType: 0, contentMetadata: {}, text: '' }) as never;
  const noon = new Date(2026, 4, 1, 12).getTime();
  const rows = rowsOf({
    me: 'u2',
    messages: [message('1', noon), message('2', noon + 60_000)],
    waiting: [],
    readUpTo: undefined,
  });
  const kinds = (list: readonly Row[]): string[] => list.map(({ kind }) => kind);

  test('stands at its time', () => {
    assert.deepEqual(kinds(withKeyChanges(rows, { u1: [noon + 1] }, ['u1'])), ['day', 'message', 'new-key', 'message']);
    assert.deepEqual(kinds(withKeyChanges(rows, { u1: [noon + 90_000] }, ['u1'])).at(-1), 'new-key');
  });

  test('is not shown for people of other chats, or before what is loaded', () => {
    assert.equal(withKeyChanges(rows, { u3: [noon + 1] }, ['u1']), rows);
    assert.equal(withKeyChanges(rows, { u1: [noon - 1] }, ['u1']), rows);
  });
});
