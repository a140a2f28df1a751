// What people change about their own account, through the SDK and as raw calls.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { createRawClient, type NewDevice, newDevice, outcomeOf, refusalOf } from '@sealpost/conformance/testing';
import { failureLimits, operationTypes, timelineChannel } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { failsWith, operator } from '@sealpost/dev-env/people';
import { deviceNewsOf, type GatewayError, type RpcClient } from '@sealpost/sdk';

const NEW = 'quite another secret';

const newsOf = async (user: TestUser, from = 0) =>
  (await user.log(from)).flatMap((operation) => deviceNewsOf(operation) ?? []);
const headOf = async (user: TestUser) => Number(await user.client.TalkService.getLastOpRevision());
const tokenOf = (client: RpcClient) => client.session?.tokens.accessToken ?? '';
const idOf = (client: RpcClient) => client.session?.tokens.loginSessionId ?? '';
const outcome = (call: Promise<unknown>): Promise<string> => refusalOf(call);

for (const database of databases) {
  describe(`the own account on ${database}`, () => {
    let server: TestServer;
    let device: NewDevice;
    before(async () => {
      server = await startServer({ database, flags: { 'login-confirmation': 'new-device' } });
      device = newDevice(server);
    });
    after(async () => {
      device.close();
      await server.close();
    });

    const loginOf = async (identifier: string, password: string, certificate?: string) =>
      outcomeOf(await device.login(identifier, password, certificate === undefined ? {} : { certificate }));
    const raw = () => createRawClient({ url: server.url });

    describe('password', () => {
      test('a change keeps the sessions and tells them; only the new password logs in', async () => {
        const user = await server.user('changer');
        const second = await user.session();
        await user.client.ownAccount.changePassword({ password: user.password, newPassword: NEW });
        await second.TalkService.getProfile();
        const [told] = await newsOf(user);
        assert.deepEqual([told?.kind, told?.id], ['password-changed', idOf(user.client)]);
        assert.equal(await loginOf(user.userid, user.password), 'INVALID_IDENTITY_CREDENTIAL');
        assert.equal(await loginOf(user.userid, NEW), 'OK');
      });

      test('on request all other sessions end, and only the certificate of this one stays', async () => {
        const user = await server.user('certified');
        await operator(server).endSessions({ account: user.mid });
        const mine = (await device.login(user.userid, user.password)).data;
        const other = await user.session();
        const { sessions } = server.server.slices;
        const caller = (await sessions.load(mine.tokenV3IssueResult.accessToken)).caller;
        assert.equal(caller.mid, user.mid);
        const request = { reqSeq: 2, password: user.password, newPassword: NEW, endOtherSessions: true };
        const client = raw();
        const token = mine.tokenV3IssueResult.accessToken;
        assert.equal(outcomeOf(await client.call('PrimaryDeviceService.changePassword', [request], token)), 'OK');
        assert.equal(await outcome(other.TalkService.getProfile()), 'SESSION_LOGGED_OUT');
        assert.equal(outcomeOf(await client.call('TalkService.getProfile', [], token)), 'OK');
        const again = await device.login(user.userid, NEW, { certificate: mine.certificate });
        assert.equal(again.data.type, 1, 'the device that changed the password needs no confirmation');
        client.close();
      });

      test('the certificates of other devices are forgotten with their sessions, and kept without', async () => {
        const user = await server.user('kept');
        await operator(server).endSessions({ account: user.mid });
        const { certificate } = (await device.login(user.userid, user.password)).data;
        const owner = await user.session();
        await owner.ownAccount.changePassword({ password: user.password, newPassword: NEW });
        assert.equal((await device.login(user.userid, NEW, { certificate })).data.type, 1);
        await owner.ownAccount.changePassword({ password: NEW, newPassword: user.password, endOtherSessions: true });
        assert.equal((await device.login(user.userid, user.password, { certificate })).data.type, 3);
      });

      test('a login that waits with the old password gets no session', async () => {
        const user = await server.user('waiting');
        const { id, loginId, pinCode } = await device.showPin(user.client);
        await user.client.ownAccount.changePassword({ password: user.password, newPassword: NEW });
        await user.client.PrimaryDeviceService.submitPinCode({ loginId, pinCode }).catch(() => undefined);
        await device.checkPin(id);
        assert.notEqual(outcomeOf(await device.qrLogin(id)), 'OK');
        assert.equal((await user.client.devices.sessions()).length, 1);
      });

      test('a wrong password changes nothing, and the sessions are told which one gave it', async () => {
        const user = await server.user('guessed');
        const second = await user.session();
        const head = await headOf(user);
        const wrong = { password: 'not the password', newPassword: NEW };
        await assert.rejects(second.ownAccount.changePassword(wrong), failsWith('INVALID_IDENTITY_CREDENTIAL'));
        const [told] = await newsOf(user, head);
        assert.deepEqual([told?.kind, told?.id], ['password-refused', idOf(second)]);
        await user.client.ownAccount.changePassword({ password: user.password, newPassword: NEW });
      });

      test('the rules for passwords are those of the operator', async () => {
        const user = await server.user('ruled');
        const admin = operator(server);
        for (const newPassword of ['short', 'password123', user.userid, 'x'.repeat(129), '😀'.repeat(7)]) {
          const change = user.client.ownAccount.changePassword({ password: user.password, newPassword });
          await assert.rejects(change, (error: GatewayError) => {
            assert.deepEqual([error.error, error.parameterMap.field], ['ILLEGAL_ARGUMENT', 'newPassword']);
            return true;
          });
          await assert.rejects(admin.resetPassword({ account: user.mid, password: newPassword }));
        }
        await user.client.ownAccount.changePassword({ password: user.password, newPassword: '😀'.repeat(8) });
      });

      test('a repeat gets the first result, with the same reqSeq and new password only', async () => {
        const user = await server.user('repeater');
        const { changePassword } = user.client.PrimaryDeviceService;
        const request = { reqSeq: 7, password: user.password, newPassword: NEW, endOtherSessions: false };
        await changePassword(request);
        const head = await headOf(user);
        await changePassword(request);
        assert.equal(await headOf(user), head, 'the repeat told nobody anything');
        const second = await user.session();
        for (const [client, other] of [
          [user.client, { ...request, newPassword: 'a third secret' }],
          [user.client, { ...request, reqSeq: 8 }],
          [second, request],
        ] as const) {
          const repeat = client.PrimaryDeviceService.changePassword(other);
          assert.equal(await outcome(repeat), 'INVALID_IDENTITY_CREDENTIAL');
        }
        // The same number with the right password and other content is a new request.
        await changePassword({ ...request, password: NEW, newPassword: 'a third secret' });
        assert.equal(await loginOf(user.userid, 'a third secret'), 'OK');
      });

      test('of two changes at once, one wins, and the other hears that its password is wrong', async () => {
        const user = await server.user('racer');
        const second = await user.session();
        const passwords = ['the first of two', 'the second of two'] as const;
        const outcomes = await Promise.all(
          [user.client, second].map((client, at) =>
            outcome(client.ownAccount.changePassword({ password: user.password, newPassword: passwords[at] ?? '' })),
          ),
        );
        assert.deepEqual(outcomes.toSorted(), ['INVALID_IDENTITY_CREDENTIAL', 'OK']);
        assert.equal(await loginOf(user.userid, passwords[outcomes.indexOf('OK')] ?? ''), 'OK');
      });
    });

    describe('user id, e-mail and phone', () => {
      test('all change at once, in normal form; the own sessions are told, contacts are not', async () => {
        const [user, friend] = [await server.user('named'), await server.user('friend')];
        await friend.client.TalkService.findAndAddContactsByMid(0, 0, [user.mid]);
        const [head, friendsHead] = [await headOf(user), await headOf(friend)];
        const userid = `renamed.${user.userid}`;
        const changes = {
          userid: ` ${userid.toUpperCase()}`,
          email: ` Ann.${userid}@Example.ORG `,
          phone: '+81 (3) 1234-5678',
        };
        const identifiers = await user.client.ownAccount.changeIdentifiers({ password: user.password, ...changes });
        const expected = { userid, email: `ann.${userid}@example.org`, phone: '+81312345678' };
        assert.deepEqual(identifiers, expected);
        const { userid: id, email, phone } = await user.client.TalkService.getProfile();
        assert.deepEqual({ userid: id, email, phone }, expected);
        const [told, ...more] = await user.log(head);
        assert.deepEqual(
          [told?.type, told?.param1, JSON.parse(told?.param2 ?? ''), more.length],
          [operationTypes.UPDATE_PROFILE, '1', expected, 0],
        );
        assert.equal(await headOf(friend), friendsHead);
        for (const identifier of Object.values(expected)) {
          assert.equal(await loginOf(identifier, user.password), 'OK', identifier);
        }
        assert.equal(await loginOf(user.userid, user.password), 'INVALID_IDENTITY_CREDENTIAL');
        assert.equal((await friend.client.TalkService.findContactByUserid(userid)).mid, user.mid);
      });

      test('an empty e-mail address or phone number is removed, what is not given stays', async () => {
        const user = await server.user('remover');
        const { password } = user;
        const email = `${user.userid}@example.org`;
        await user.client.ownAccount.changeIdentifiers({ password, email, phone: '+81312345679' });
        const without = await user.client.ownAccount.changeIdentifiers({ password, phone: '' });
        assert.deepEqual(without, { userid: user.userid, email });
        assert.deepEqual(await user.client.ownAccount.changeIdentifiers({ password, email: ' ' }), {
          userid: user.userid,
        });
        const head = await headOf(user);
        await user.client.ownAccount.changeIdentifiers({ password, userid: user.userid });
        assert.equal(await headOf(user), head, 'what changes nothing is told to nobody');
      });

      test('the rules are those of the operator, and the error names the field', async () => {
        const user = await server.user('strict');
        const { password } = user;
        for (const [field, value] of [
          ['userid', ''],
          ['userid', '-x'],
          ['userid', 'x'.repeat(41)],
          ['userid', user.mid],
          ['userid', 'with space'],
          ['email', 'nobody'],
          ['email', `${'x'.repeat(250)}@example.org`],
          ['phone', '0312345678'],
          ['phone', '+0312345678'],
        ] as const) {
          const change = user.client.ownAccount.changeIdentifiers({ password, [field]: value });
          await assert.rejects(change, (error: GatewayError) => {
            assert.deepEqual([error.error, error.parameterMap.field], ['ILLEGAL_ARGUMENT', field], value);
            return true;
          });
        }
        const odd = 'long-enough-word';
        await user.client.ownAccount.changePassword({ password, newPassword: odd });
        const same = user.client.ownAccount.changeIdentifiers({ password: odd, userid: odd });
        await assert.rejects(same, failsWith('ILLEGAL_ARGUMENT', /must differ from the password/));
      });

      test('a taken one is refused by name, and is free when the account that has it is deleted', async () => {
        const [user, holder] = [await server.user('taker'), await server.user('holder')];
        const { password } = user;
        const email = `${holder.userid}@example.org`;
        await holder.client.ownAccount.changeIdentifiers({ password: holder.password, email, phone: '+81312345680' });
        const wishes = { userid: holder.userid, email, phone: '+81312345680' };
        for (const [field, value] of Object.entries(wishes)) {
          const change = user.client.ownAccount.changeIdentifiers({ password, [field]: value });
          await assert.rejects(change, (error: GatewayError) => {
            assert.deepEqual([error.error, error.parameterMap.field], ['INVALID_STATE', field]);
            return true;
          });
        }
        // Nothing is changed if one of several is taken.
        await user.client.ownAccount.changeIdentifiers({ password, email, userid: 'free-name' }).catch(() => {});
        assert.equal((await user.client.TalkService.getProfile()).userid, user.userid);
        await holder.client.ownAccount.delete(holder.password);
        assert.deepEqual(await user.client.ownAccount.changeIdentifiers({ password, ...wishes }), wishes);
      });

      test('a wrong password tells nothing about names', async () => {
        const [user, holder] = [await server.user('asker'), await server.user('asked')];
        for (const userid of [holder.userid, 'nobody-has-this']) {
          const change = user.client.ownAccount.changeIdentifiers({ password: 'wrong password', userid });
          await assert.rejects(change, failsWith('INVALID_IDENTITY_CREDENTIAL'));
        }
      });

      test('of two accounts that want one user id, one gets it, and the other hears that it is taken', async () => {
        for (let round = 0; round < 3; round++) {
          const users = [await server.user('first'), await server.user('second'), await server.user('third')];
          const userid = `wanted-${round}`;
          const outcomes = await Promise.all(
            users.map(({ client, password }) => outcome(client.ownAccount.changeIdentifiers({ password, userid }))),
          );
          assert.deepEqual(outcomes.toSorted(), ['INVALID_STATE', 'INVALID_STATE', 'OK']);
          const winner = users[outcomes.indexOf('OK')];
          assert.equal((await winner?.client.TalkService.getProfile())?.userid, userid);
        }
      });

      test('a repeat gets the first result and tells nobody again', async () => {
        const user = await server.user('again');
        const request = { reqSeq: 9, password: user.password, phone: '+81312345681' };
        const { changeIdentifiers } = user.client.PrimaryDeviceService;
        const first = await changeIdentifiers(request);
        await changeIdentifiers({ ...request, reqSeq: 10, phone: '+81312345682' });
        const head = await headOf(user);
        assert.deepEqual(await changeIdentifiers(request), first);
        assert.equal(await headOf(user), head);
        assert.equal((await user.client.TalkService.getProfile()).phone, '+81312345682');
      });
    });

    describe('end', () => {
      test('the account is gone as if the operator had deleted it', async () => {
        const [user, friend] = [await server.user('leaver'), await server.user('stayer')];
        const { chat } = await friend.client.TalkService.createChat({
          reqSeq: 0,
          type: 0,
          name: 'tea',
          targetUserMids: [user.mid],
        });
        await user.client.TalkService.acceptChatInvitation({ reqSeq: 0, chatMid: chat.chatMid });
        await friend.client.TalkService.findAndAddContactsByMid(0, 0, [user.mid]);
        await user.client.sendText(friend.mid, 'goodbye');
        const head = await headOf(friend);
        await user.client.ownAccount.delete(user.password);
        assert.equal(user.client.session, undefined);
        const types = (await friend.log(head)).map(({ type }) => type);
        assert.ok(types.includes(operationTypes.NOTIFIED_UNREGISTER_USER));
        assert.ok(types.includes(operationTypes.NOTIFIED_DELETE_SELF_FROM_CHAT));
        await assert.rejects(friend.client.sendText(user.mid, 'still there?'), failsWith('NOT_FOUND'));
        const kept = await friend.client.TalkService.getRecentMessagesV2(user.mid, 5);
        assert.deepEqual(
          kept.map(({ text }) => text),
          ['goodbye'],
        );
        assert.equal(await loginOf(user.userid, user.password), 'INVALID_IDENTITY_CREDENTIAL');
        await assert.rejects(operator(server).showAccount({ account: user.mid }));
      });

      test('every session ends at once and hears why, also an open stream', async () => {
        const user = await server.user('streamer');
        const [second, third] = [await user.session(), await user.session()];
        const tokens = [tokenOf(user.client), tokenOf(third)];
        const ended = new Promise<GatewayError | undefined>((resolve) => {
          second.onSession((event) => event.kind === 'ended' && resolve(event.reason));
        });
        const reading = (async () => {
          for await (const _ of second.operations({ from: '0' }));
        })().catch(() => {});
        await second.TalkService.getProfile();
        await user.client.ownAccount.delete(user.password);
        await reading;
        const reason = await ended;
        assert.deepEqual([reason?.error, reason?.accountDeleted], ['SESSION_LOGGED_OUT', true]);
        const client = raw();
        for (const token of tokens) {
          const answer = await client.call('TalkService.getProfile', [], token);
          assert.equal(outcomeOf(answer), 'SESSION_LOGGED_OUT');
          assert.deepEqual(answer.body.data?.parameterMap, { cause: 'ACCOUNT_DELETED' });
        }
        client.close();
      });

      test('a session that was revoked hears no such cause', async () => {
        const user = await server.user('revoked');
        const second = await user.session();
        const token = tokenOf(second);
        await user.client.devices.revokeOthers();
        const client = raw();
        const answer = await client.call('TalkService.getProfile', [], token);
        assert.deepEqual([outcomeOf(answer), answer.body.data?.parameterMap ?? null], ['SESSION_LOGGED_OUT', null]);
        for (const [method, request] of [
          ['changePassword', { reqSeq: 2, password: user.password, newPassword: NEW, endOtherSessions: false }],
          ['changeIdentifiers', { reqSeq: 2, password: user.password, userid: 'any' }],
          ['deleteAccount', { password: user.password }],
        ] as const) {
          const refused = await client.call(`PrimaryDeviceService.${method}`, [request], token);
          assert.equal(outcomeOf(refused), 'SESSION_LOGGED_OUT', method);
        }
        client.close();
      });

      test('a deletion whose answer was lost is done, and a repeat knows it', async () => {
        const user = await server.user('lost');
        const second = await user.session();
        await user.client.ownAccount.delete(user.password);
        await second.ownAccount.delete(user.password);
        assert.equal(second.session, undefined);
      });

      test('a wrong password deletes nothing', async () => {
        const user = await server.user('alive');
        await assert.rejects(user.client.ownAccount.delete('not mine'), failsWith('INVALID_IDENTITY_CREDENTIAL'));
        await user.client.TalkService.getProfile();
      });
    });

    test('the password of another account is not the own one', async () => {
      const [user, stranger] = [await server.user('mine'), await server.user('theirs')];
      const { ownAccount } = stranger.client;
      for (const call of [
        () => ownAccount.changePassword({ password: user.password, newPassword: NEW }),
        () => ownAccount.changeIdentifiers({ password: user.password, userid: 'x' }),
        () => ownAccount.delete(user.password),
      ]) {
        await assert.rejects(call(), failsWith('INVALID_IDENTITY_CREDENTIAL'));
      }
      await user.client.TalkService.getProfile();
    });

    test('an official account changes its password; its names and its end belong to the operator', async () => {
      const shop = await server.user('shop', 'official');
      const { ownAccount } = shop.client;
      await ownAccount.changePassword({ password: shop.password, newPassword: NEW });
      const rename = ownAccount.changeIdentifiers({ password: NEW, userid: 'new-shop' });
      await assert.rejects(rename, failsWith('FEATURE_RESTRICTED', /only the operator/));
      await assert.rejects(ownAccount.delete(NEW), failsWith('FEATURE_RESTRICTED', /only the operator/));
      await shop.client.TalkService.getProfile();
    });

    test('a channel token and an object token change nothing', async () => {
      const user = await server.user('channel');
      const { channelAccessToken } = await user.client.ChannelService.issueChannelToken(timelineChannel);
      const [, objectToken = ''] = (await user.client.TalkService.acquireEncryptedAccessToken(2)).split('\x1e');
      const client = raw();
      for (const token of [channelAccessToken, objectToken]) {
        const answer = await client.call('PrimaryDeviceService.deleteAccount', [{ password: user.password }], token);
        assert.equal(outcomeOf(answer), 'REQUEST_NEED_LOGIN');
      }
      client.close();
    });

    test('wrong passwords of all sessions count together, and apart from failed logins', async () => {
      const user = await server.user('limited');
      const { free } = failureLimits.loginPerPair;
      const sessions = await Promise.all(Array.from({ length: free }, () => user.session()));
      for (const session of sessions) {
        await assert.rejects(session.ownAccount.delete('wrong password'), failsWith('INVALID_IDENTITY_CREDENTIAL'));
      }
      const right = user.client.ownAccount.changePassword({ password: user.password, newPassword: NEW });
      await assert.rejects(right, failsWith('EXCESSIVE_ACCESS', /attempts/));
      assert.equal(await loginOf(user.userid, user.password), 'OK', 'logins are not kept out');
    });
  });
}

test('changes of names are limited, because each tells whether a name is taken', async () => {
  const server = await startServer({ servers: 1, flags: { 'rate-identifier': '2+0.001' } });
  try {
    const user = await server.user('prober');
    const { password } = user;
    const probe = (userid: string) => outcome(user.client.ownAccount.changeIdentifiers({ password, userid }));
    assert.deepEqual([await probe('one'), await probe('two'), await probe('three')], ['OK', 'OK', 'EXCESSIVE_ACCESS']);
    // The older way to an e-mail address asks for no password, and counts too.
    const other = await server.user('older');
    const set = (value: string) =>
      outcome(other.client.TalkService.updateProfileAttributes(0, { profileAttributes: { 1: { value } } }));
    const outcomes = [
      await set('a@example.org'),
      await set(''),
      await set('b@example.org'),
      await set('c@example.org'),
    ];
    assert.deepEqual(outcomes, ['OK', 'OK', 'OK', 'EXCESSIVE_ACCESS']);
  } finally {
    await server.close();
  }
});

test('no stored request has a digest from which a password could be guessed quickly', async () => {
  const server = await startServer({ servers: 1 });
  try {
    const { client, password } = await server.user('stored');
    const { changePassword, changeIdentifiers } = client.PrimaryDeviceService;
    const change = { reqSeq: 5, password, newPassword: NEW, endOtherSessions: false };
    const names = { reqSeq: 6, password: NEW, email: 'stored@example.org' };
    await changePassword(change);
    await changeIdentifiers(names);
    const database = new DatabaseSync(join(server.dataDir, 'sealpost.db'), { readOnly: true });
    const stored = database.prepare('select fingerprint from request order by req_seq').all();
    database.close();
    const guessed = [
      ['PrimaryDeviceService.changePassword', change],
      ['PrimaryDeviceService.changeIdentifiers', names],
    ].map(([method, request]) => hash('sha256', JSON.stringify([method, [request]]), 'base64url').slice(0, 22));
    assert.equal(stored.length, 2);
    assert.deepEqual(
      stored.filter(({ fingerprint }) => guessed.includes(String(fingerprint))),
      [],
    );
  } finally {
    await server.close();
  }
});
