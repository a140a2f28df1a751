// The call sequences of existing clients, with their headers and argument forms. Answers are parsed as these clients
// do.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { errorsOf, type Loose, type RawAnswer } from '@sealpost/conformance/testing';
import { httpPaths, type MethodName, pathOf } from '@sealpost/contract';
import { callsOfClients } from '@sealpost/dev-env/existing-calls';
import {
  type ClientKind,
  clientKinds,
  credential,
  type ExistingClient,
  existingClients,
} from '@sealpost/dev-env/existing-clients';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';

const digits = /^\d+$/;
const mid = /^[ucr][0-9a-f]{32}$/;
const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const text = (value: Loose | undefined): string => {
  assert.ok(isText(value), `no text: ${JSON.stringify(value)}`);
  return value;
};
const items = (value: Loose | undefined): Loose[] => {
  assert.ok(Array.isArray(value), `no list: ${JSON.stringify(value)}`);
  return value as Loose[];
};
/** Asserts the JSON types of fields that clients refuse in any other type. */
function hasTypes(value: Loose | undefined, strings: string, numbers = ''): void {
  const named = (names: string) => names.split(' ').filter(Boolean);
  for (const name of named(strings)) assert.ok(isText(value?.[name]), `${name} of ${JSON.stringify(value)}`);
  for (const name of named(numbers)) assert.ok(isNumber(value?.[name]), `${name} of ${JSON.stringify(value)}`);
}
/** Asserts that the server knows the path and accepts the arguments, even if the server does not offer the method. */
function understood(answer: RawAnswer, what: string): void {
  const wrong = errorsOf(answer).filter((name) => /^REQUEST_|NOT_FOUND_PATH|METHOD_NOT_ALLOWED/.test(name));
  assert.deepEqual(wrong, [], `${what}: ${answer.text}`);
}

const clientsOfFile = existingClients();

for (const brand of ['Svc', 'Acme']) {
  describe(`existing clients with the brand ${brand}`, () => {
    let server: TestServer;
    let friend: TestUser;
    const clients: ExistingClient[] = [];
    before(async () => {
      server = await startServer({
        flags: { signature: 'lenient', 'header-brand': brand, 'allowed-origins': 'chrome-extension://*' },
      });
      friend = await newUser('friend');
    });
    after(async () => {
      for (const client of clients) client.close();
      await server?.close();
    });

    let users = 0;
    /** Creates an account whose session the test does not use. */
    async function newUser(name: string): Promise<TestUser> {
      if (brand === 'Svc') return server.user(name);
      users += 1;
      const userid = `${name}-of-${brand}-${users}`;
      const password = `password of ${userid}`;
      const account = await server.server.slices.accounts.create({ userid, password, displayName: name });
      return { mid: account.mid, userid, password } as TestUser;
    }
    const anonymous = (kind: ClientKind) => {
      const client = clientsOfFile.create(kind, { url: server.url, brand });
      clients.push(client);
      return client;
    };
    async function loggedIn(kind: ClientKind) {
      const user = await newUser('someone');
      const client = anonymous(kind);
      const login = await client.logIn(user.userid, user.password);
      return { user, client, login };
    }

    describe('a bridge', () => {
      const kind = clientKinds.bridge;

      test('logs in, and finds each value of the answer in the JSON type that it reads', async () => {
        const { user, login, client } = await loggedIn(kind);
        hasTypes(login, 'certificate mid', 'type');
        assert.equal(login.type as unknown, 1);
        assert.equal(login.mid as unknown, user.mid);
        assert.match(text(login.certificate), /^[0-9a-f]{64}$/);
        const tokens = login.tokenV3IssueResult;
        hasTypes(tokens, 'accessToken refreshToken durationUntilRefreshInSec tokenIssueTimeEpochSec loginSessionId');
        hasTypes(tokens?.refreshApiRetryPolicy, 'initialDelayInMillis maxDelayInMillis', 'multiplier jitterRate');
        assert.match(text(tokens?.durationUntilRefreshInSec), digits);
        const claims = JSON.parse(Buffer.from(client.token?.split('.')[1] as string, 'base64url').toString()) as {
          exp: number;
          aid: string;
        };
        assert.ok(claims.exp > Date.now() / 1000);
        assert.equal(claims.aid, user.mid);
      });

      test('tries a sealed login first, reads "not supported", and goes on with a plain one', async () => {
        const user = await newUser('plain');
        const client = anonymous(kind);
        const key = await client.result('TalkService.getRSAKeyInfo', 1);
        const answer = await client.call('AuthService.loginV2', {
          type: 2,
          identityProvider: 1,
          identifier: key.keynm,
          password: credential(key as never, user.userid, user.password),
          keepLoggedIn: false,
          accessLocation: '',
          systemName: 'Chrome',
          modelName: '',
          certificate: '',
          verifier: '',
          secret: Buffer.alloc(32, 1).toString('base64'),
          e2eeVersion: 1,
        });
        assert.equal(answer.status, 400);
        assert.ok(answer.text.includes('"code":89') && answer.text.includes('not supported'), answer.text);
        assert.equal((await client.logIn(user.userid, user.password)).type as unknown, 1);
      });

      test('is told that password or account are wrong in the words that it knows', async () => {
        const client = anonymous(kind);
        const key = await client.result('TalkService.getRSAKeyInfo', 1);
        const answer = await client.call('AuthService.loginV2', {
          type: 0,
          identityProvider: 1,
          identifier: key.keynm,
          password: credential(key as never, 'nobody', 'nothing'),
        });
        assert.equal(answer.status, 400);
        assert.equal(answer.body.data?.reason as unknown, 'Account ID or password is invalid');
      });

      test('loads everything that it shows at its start', async () => {
        const { client, user } = await loggedIn(kind);
        const profile = await client.result('TalkService.getProfile', 2);
        hasTypes(profile, 'mid displayName createdTimeMillis');
        assert.equal(profile.mid as unknown, user.mid);
        hasTypes(await client.result('TalkService.getEncryptedIdentityV3'), 'wrappedNonce kdfParameter1 kdfParameter2');
        assert.match((await client.result('TalkService.getLastOpRevision')) as unknown as string, digits);
        assert.deepEqual(await client.result('TalkService.getAllContactIds'), []);
        assert.deepEqual(await client.result('TalkService.getBlockedContactIds'), []);
        const { contacts } = await client.result('TalkService.getContactsV2', { targetUserMids: [friend.mid] }, 2);
        assert.equal(contacts?.[friend.mid]?.contact?.displayName as unknown, 'friend');
        const mids = await client.result(
          'TalkService.getAllChatMids',
          { withMemberChats: true, withInvitedChats: true },
          2,
        );
        assert.deepEqual(mids, { memberChatMids: [], invitedChatMids: [] });
        const boxes = await client.result(
          'TalkService.getMessageBoxes',
          {
            activeOnly: true,
            unreadOnly: false,
            messageBoxCountLimit: 100,
            withUnreadCount: true,
            lastMessagesPerMessageBoxCount: 1,
          },
          2,
        );
        assert.deepEqual(boxes, { messageBoxes: [], hasNext: false });
      });

      test('gets a token for object storage whose first row it takes whole', async () => {
        const { client } = await loggedIn(kind);
        const [seconds, token, ...rest] = (
          (await client.result('TalkService.acquireEncryptedAccessToken', 2)) as unknown as string
        ).split('\x1e');
        assert.match(seconds as string, digits);
        assert.ok(token && !token.includes('\x1f'), token);
        assert.deepEqual(rest, []);
      });

      test('makes a room without a name, invites with flat arguments, sends, reads and clears', async () => {
        const { client, user } = await loggedIn(kind);
        const other = await newUser('other');
        const reqSeq = Date.now() % 1e9;
        const { chat } = await client.result('TalkService.createChat', {
          reqSeq,
          type: 1,
          targetUserMids: [friend.mid],
          picturePath: '',
        });
        const room = text(chat?.chatMid);
        assert.match(room, /^r[0-9a-f]{32}$/);
        assert.equal(chat?.type as unknown, 1);
        await client.result('TalkService.inviteIntoChat', 1, room, [other.mid]);
        const { chats } = await client.result(
          'TalkService.getChats',
          { chatMids: [room], withMembers: true, withInvitees: true },
          2,
        );
        const extra = items(chats)[0]?.extra?.groupExtra;
        hasTypes(extra, 'creator creatorMid');
        assert.deepEqual(items(extra?.memberMids).toSorted() as unknown, [user.mid, friend.mid, other.mid].toSorted());

        const message = await client.result('TalkService.sendMessage', reqSeq + 1, {
          from: user.mid,
          to: room,
          toType: 1,
          id: `local-${Date.now()}`,
          createdTime: String(Date.now()),
          text: 'hello',
          contentType: 0,
          contentMetadata: {},
          hasContent: false,
          sessionId: 0,
        });
        hasTypes(message, 'id from to text createdTime deliveredTime', 'toType contentType sessionId');
        assert.match(text(message.id), /^\d{1,19}$/);
        assert.deepEqual(
          Object.values(message).filter((value) => value === null),
          [],
        );
        assert.equal(await client.result('TalkService.sendChatChecked', 0, room, message.id), null);
        const recent = items(await client.result('TalkService.getRecentMessagesV2', room, 50));
        assert.equal(recent[0]?.id, message.id);
        await client.result('TalkService.sendChatRemoved', reqSeq + 2, room, '0', 0);
        assert.deepEqual(await client.result('TalkService.getRecentMessagesV2', room, 50), []);
      });

      test('finds the pieces of text in an error that it searches for', async () => {
        const { client, user } = await loggedIn(kind);
        const nowhere = `u${'0'.repeat(32)}`;
        const cases: [MethodName, readonly unknown[], RegExp][] = [
          ['TalkService.getContact', [nowhere], /"code":10051,.*"code":5,/],
          ['TalkService.findContactByUserid', ['nobody-at-all'], /"code":10051,.*"code":5,/],
          [
            'TalkService.sendMessage',
            [7, { to: `c${'0'.repeat(32)}`, text: 'a', contentType: 0 }],
            /"code":10,"reason":"not a member"/,
          ],
          ['TalkService.unsendMessage', [8, '1'], /"code":64,/],
        ];
        for (const [method, args, piece] of cases) {
          const answer = await client.call(method, ...args);
          assert.equal(answer.status, 400, answer.text);
          assert.match(answer.text, piece);
          assert.deepEqual(Object.keys(answer.body), ['code', 'message', 'data']);
          assert.deepEqual(Object.keys(answer.body.data ?? {}), ['name', 'message', 'code', 'reason', 'parameterMap']);
        }
        assert.ok(!(await client.call('TalkService.getProfile')).text.includes('": '), 'blanks in JSON');
        assert.ok(user.mid);
      });

      test('opens the stream unsigned, with the token in header and cookie, and sees its own echo', async () => {
        const { client, user } = await loggedIn(kind);
        const revision = (await client.result('TalkService.getLastOpRevision')) as unknown as string;
        const stream = await client.openStream(
          `?localRev=${revision}&version=3.7.2&lastPartialFullSyncs=%7B%7D&language=en_US`,
          { Cookie: `lct=${client.token}` },
        );
        assert.equal(stream.status, 200);
        assert.match(stream.contentType ?? '', /^text\/event-stream/);
        await stream.event('connInfoRevision');
        const reqSeq = 971_234_567;
        const sent = await client.result('TalkService.sendMessage', reqSeq, {
          from: user.mid,
          to: friend.mid,
          toType: 0,
          id: `local-${Date.now()}`,
          text: 'echo',
          contentType: 0,
          contentMetadata: {},
        });
        const operation = await stream.operation(({ type }) => (type as unknown) === 25);
        hasTypes(operation, 'revision createdTime', 'type reqSeq');
        assert.equal(operation.reqSeq as unknown, reqSeq);
        assert.equal(operation.message?.id, sent.id);
        hasTypes(operation.message, 'id from to text', 'toType contentType');
        assert.ok(!stream.lines().includes('event: message'));
        stream.close();
      });

      test('renews with a count of retries, and reads the tokens at the top of the answer', async () => {
        const { client, login } = await loggedIn(kind);
        const old = client.token;
        const { refreshToken } = login.tokenV3IssueResult ?? {};
        const { status, body } = await client.post(httpPaths.tokenRefresh, { refreshToken, retryCount: 0 });
        assert.equal(status, 200);
        const bare = body as unknown as Loose;
        hasTypes(bare, 'accessToken refreshToken durationUntilRefreshInSec tokenIssueTimeEpochSec loginSessionId');
        assert.equal(bare.accessToken, body.data?.accessToken);
        client.useToken(text(bare.accessToken));
        assert.ok(await client.result('TalkService.getProfile'));
        client.useToken(old);
        assert.ok(await client.result('TalkService.getProfile'), 'calls under way go on with the old token');
      });

      test('learns from the reason that it was logged out, and from 401 that the stream is over', async () => {
        const { client } = await loggedIn(kind);
        assert.equal(await client.result('AuthService.logoutV2'), null);
        const answer = await client.call('TalkService.getProfile', 2);
        assert.equal(answer.status, 400);
        assert.ok(answer.text.includes('V3_TOKEN_CLIENT_LOGGED_OUT'), answer.text);
        const stream = await client.openStream('?localRev=0');
        assert.equal(stream.status, 401);
        stream.close();
        client.useToken('unknown');
        const other = await client.openStream('?localRev=0');
        assert.equal(other.status, 401);
        other.close();
      });

      test('has the further forms of its calls understood', async () => {
        const { client, user } = await loggedIn(kind);
        const calls: [MethodName, readonly unknown[]][] = [
          ['TalkService.getSticonOwnershipByMid', [1, user.mid]],
          ['TalkService.getSticonOwnershipByMid', [user.mid]],
          ['ShopService.getSticonOwnershipByMid', [user.mid]],
          ['ShopService.getOwnedProductSummaries', [user.mid]],
          ['BuddyService.getBuddyProfile', [friend.mid]],
          ['TalkService.getLastE2EEPublicKeys', [{ chatMid: `c${'0'.repeat(32)}`, members: [user.mid] }]],
          ['TalkService.getLastE2EEGroupSharedKey', [2, `c${'0'.repeat(32)}`]],
          ['TalkService.negotiateE2EEPublicKey', [friend.mid]],
          ['TalkService.determineMediaMessageFlow', [{ chatMid: friend.mid }]],
          ['AuthService.confirmE2EELogin', ['verifier', 'AAAA']],
        ];
        for (const [method, args] of calls) understood(await client.call(method, ...args), method);
      });
    });

    describe('a script', () => {
      const kind = clientKinds.script;

      test('asks without arguments and with blanks in its JSON', async () => {
        const { client, user } = await loggedIn(kind);
        assert.equal((await client.result('TalkService.getProfile')).mid as unknown, user.mid);
        const methods = [
          'TalkService.getSettings',
          'TalkService.getConfigurations',
          'TalkService.getAllContactIds',
          'TalkService.getBlockedContactIds',
          'TalkService.getRecommendationIds',
          'TalkService.getBlockedRecommendationIds',
          'TalkService.getServerTime',
        ] as const;
        for (const method of methods) assert.ok(await client.result(method), method);
        hasTypes(await client.result('TalkService.getRSAKeyInfo', 0), 'keynm nvalue evalue sessionKey');
      });

      test('is answered as a page of an extension', async () => {
        const { client } = await loggedIn(kind);
        const { headers } = await client.call('TalkService.getProfile');
        assert.equal(headers['access-control-allow-origin'], kind.headers.Origin);
        assert.equal(headers['access-control-allow-credentials'], 'true');
        const asked = await client.raw.send(pathOf('TalkService.getProfile'), {
          verb: 'OPTIONS',
          headers: { Origin: kind.headers.Origin, 'Access-Control-Request-Method': 'POST' },
        });
        assert.equal(asked.status, 204);
        assert.match(asked.headers['access-control-allow-headers'] ?? '', new RegExp(`X-${brand}-Access`));
        const stranger = await client.raw.send(pathOf('TalkService.getProfile'), {
          verb: 'OPTIONS',
          headers: { Origin: 'https://elsewhere.example' },
        });
        assert.equal(stranger.headers['access-control-allow-origin'], undefined);
      });

      test('keeps a group with flat arguments', async () => {
        const { client } = await loggedIn(kind);
        const guest = await loggedIn(kind);
        let reqSeq = Math.floor(Date.now() / 1000);
        const next = () => {
          reqSeq += 1;
          return reqSeq;
        };
        const { chat } = await client.result('TalkService.createChat', next(), {
          type: 0,
          name: 'tea',
          targetUserMids: [guest.user.mid],
        });
        const group = text(chat?.chatMid);
        await guest.client.result('TalkService.acceptChatInvitation', next(), group);
        await client.result('TalkService.updateChat', next(), { chatMid: group, chatName: 'coffee' }, 0);
        const { chats } = await guest.client.result(
          'TalkService.getChats',
          { chatMids: [group], withMembers: true },
          2,
        );
        assert.equal(items(chats)[0]?.chatName as unknown, 'coffee');
        await client.result('TalkService.inviteIntoChat', next(), group, { targetUserMids: [friend.mid] });
        await client.result('TalkService.cancelChatInvitation', next(), group, { targetUserMids: [friend.mid] });
        await client.result('TalkService.deleteOtherFromChat', next(), group, { targetUserMids: [guest.user.mid] });
        await client.result('TalkService.inviteIntoChat', next(), group, { targetUserMids: [guest.user.mid] });
        await guest.client.result('TalkService.rejectChatInvitation', next(), group);
        await client.result('TalkService.setChatHiddenStatus', next(), group, true);
        await client.result('TalkService.deleteSelfFromChat', next(), group);
      });

      test('sends, reacts by number, marks as read with three values and reads history by its own names', async () => {
        const { client } = await loggedIn(kind);
        let reqSeq = Math.floor(Date.now() / 1000);
        const send = async (line: string) => {
          reqSeq += 1;
          return client.result('TalkService.sendMessage', reqSeq, {
            id: `local-${reqSeq}`,
            to: friend.mid,
            toType: 0,
            text: line,
            contentType: 0,
            contentMetadata: {},
            createdTime: Date.now(),
            hasContent: false,
          });
        };
        const first = await send('one');
        const second = await send('two');
        await client.result('TalkService.react', reqSeq + 1, {
          messageId: Number(second.id),
          reactionType: { type: 3 },
        });
        const [reacted] = items(await client.result('TalkService.getMessagesByIds', [second.id]));
        assert.equal(items(reacted?.reactions)[0]?.reactionType?.predefinedReactionType as unknown, 3);
        await client.result('TalkService.cancelReaction', reqSeq + 2, {
          messageId: Number(second.id),
          reactionType: { type: 0 },
        });
        await client.result('TalkService.sendChatChecked', reqSeq + 3, friend.mid, second.id);
        const page = await client.result('TalkService.getPreviousMessagesV2WithRequest', {
          chatId: friend.mid,
          endSeq: second.id,
          limit: 20,
          withReadCount: true,
        });
        assert.deepEqual(
          items(page).map(({ id }) => id),
          [first.id],
        );
        const { messageBoxes } = await client.result('TalkService.getMessageBoxes', '', 20, 0);
        const [box] = items(messageBoxes);
        assert.equal(box?.id as unknown, friend.mid);
        assert.equal(items(box?.lastMessages)[0]?.id, second.id);
        hasTypes(box, 'id unreadCount lastSeenMessageId', 'midType');
        hasTypes(box?.lastDeliveredMessageId, 'messageId');
        const { messageBoxesByIds } = await client.result('TalkService.getMessageBoxesByIds', [friend.mid]);
        assert.ok(messageBoxesByIds?.[friend.mid]);
        assert.ok(Array.isArray(await client.result('TalkService.getMessageReadRange', [friend.mid])));
        await client.result('TalkService.sendChatRemoved', reqSeq + 4, friend.mid, second.id);
      });

      test('presses a button of an official account without naming the message', async () => {
        const { client } = await loggedIn(kind);
        users += 1;
        const official = await server.server.slices.accounts.create({
          userid: `official-${brand}-${users}`,
          password: 'password of the official account',
          displayName: 'official',
          kind: 'official',
        });
        const unheard = await client.call('TalkService.sendPostback', 5, official.mid, 'data');
        assert.equal(unheard.body.data?.code as unknown, 5, unheard.text);
        await client.result('TalkService.sendMessage', 6, { to: official.mid, text: 'hello', contentType: 0 });
        assert.equal(await client.result('TalkService.sendPostback', 7, official.mid, 'data'), null);
      });

      test('keeps its contacts with one user a call', async () => {
        const { client } = await loggedIn(kind);
        const added = await client.result('TalkService.findAndAddContactsByMid', 5, friend.mid, 0, '');
        assert.equal(added[friend.mid]?.mid as unknown, friend.mid);
        assert.deepEqual(await client.result('TalkService.getAllContactIds'), [friend.mid]);
        await client.result('TalkService.blockContact', 6, friend.mid);
        assert.deepEqual(await client.result('TalkService.getBlockedContactIds'), [friend.mid]);
        await client.result('TalkService.unblockContact', 7, friend.mid);
        const other = await newUser('other');
        const answer = await client.post('/api/talk/thrift/Talk/RelationService/addFriendByMid', [8, other.mid]);
        assert.deepEqual([answer.status, answer.body.data], [200, {}]);
        assert.equal(items(await client.result('TalkService.getContacts', [friend.mid, other.mid])).length, 2);
        assert.equal((await client.result('TalkService.getContact', other.mid)).mid as unknown, other.mid);
        const report = { reportee: other.mid, category: 1, reason: 'spam' };
        assert.equal(await client.result('TalkService.reportAbuseEx', 9, report), null);
      });

      test('changes profile and settings by number', async () => {
        const { client } = await loggedIn(kind);
        await client.result('TalkService.updateProfileAttributes', 5, {
          profileAttributes: { '2': { value: 'renamed', meta: {} } },
        });
        assert.equal((await client.result('TalkService.getProfile')).displayName as unknown, 'renamed');
        await client.result('TalkService.updateSettingsAttributes2', 6, 3, { notificationGroupInvitation: false });
        const settings = await client.result('TalkService.getSettingsAttributes2', 3);
        assert.deepEqual(settings, { notificationGroupInvitation: false });
      });

      test('polls for operations, whose revisions have the type of the last revision', async () => {
        const { client } = await loggedIn(kind);
        const last = (await client.result('TalkService.getLastOpRevision')) as unknown as string;
        await client.result('TalkService.sendMessage', 0, { to: friend.mid, text: 'a', contentType: 0 });
        const answer = await client.call('TalkService.fetchOps', Number(last), 50, 0, 0);
        understood(answer, 'fetchOps');
        const [operation] = items(answer.body.data);
        hasTypes(operation, 'revision', 'type');
        assert.ok(Number(operation?.revision) > Number(last));
      });

      test('polls its QR login with the session id where the token belongs', async () => {
        const client = anonymous(kind);
        const created = await client.call('SecondaryQrCodeLoginService.createSession');
        understood(created, 'createSession');
        const authSessionId = text(created.body.data?.authSessionId);
        const { callbackUrl, longPollingIntervalSec } = await client.result(
          'SecondaryQrCodeLoginService.createQrCode',
          { authSessionId },
        );
        assert.ok(URL.canParse(text(callbackUrl)));
        assert.ok(isNumber(longPollingIntervalSec));
        client.useToken(authSessionId);
        const answer = await client.raw.send(pathOf('SecondaryQrCodeLoginPermitNoticeService.checkQrCodeVerified'), {
          body: JSON.stringify([{ authSessionId }]),
          token: authSessionId,
          headers: {
            'X-LST': '1000',
            [`X-${brand}-Client-Version`]: undefined,
            [`X-${brand}-Chrome-Version`]: '3.7.1',
          },
        });
        assert.equal(answer.status, 410, answer.text);
        assert.equal(answer.body.code, 10052);
      });
    });

    describe('a development kit', () => {
      const kind = clientKinds.kit;

      test('sends without sender and times, and stickers with an empty text', async () => {
        const { client, user } = await loggedIn(kind);
        const message = await client.result('TalkService.sendMessage', 2, {
          to: friend.mid,
          toType: 0,
          text: 'hello',
          contentType: 0,
          contentMetadata: {},
        });
        assert.equal(message.from as unknown, user.mid);
        const sticker = await client.result('TalkService.sendMessage', 3, {
          to: friend.mid,
          toType: 0,
          text: '',
          contentType: 7,
          contentMetadata: { STKID: '1', STKPKGID: '1', STKVER: '1' },
        });
        assert.equal(sticker.contentType as unknown, 7);
        const reply = await client.result('TalkService.sendMessage', 4, {
          to: friend.mid,
          text: 'answer',
          contentType: 0,
          relatedMessageId: message.id,
          messageRelationType: 3,
          relatedMessageServiceCode: 1,
        });
        hasTypes(reply, 'relatedMessageId', 'messageRelationType relatedMessageServiceCode');
      });

      test('opens the stream without a query and gets only what happens from then on', async () => {
        const { client } = await loggedIn(kind);
        await client.result('TalkService.sendMessage', 2, { to: friend.mid, text: 'before', contentType: 0 });
        const stream = await client.openStream('');
        await stream.event('connInfoRevision');
        await client.result('TalkService.sendMessage', 3, { to: friend.mid, text: 'after', contentType: 0 });
        const operation = await stream.operation(() => true);
        assert.equal(operation.message?.text as unknown, 'after');
        stream.close();
      });

      test('adds a friend and says where it met', async () => {
        const { client } = await loggedIn(kind);
        const result = await client.result('RelationService.addFriendByMid', {
          reqSeq: 5,
          userMid: friend.mid,
          tracking: {
            reference: '{"screen":"chat"}',
            trackingMeta: { friendRecommendation: {} },
            trackingMetaV2: { chat: { chatMid: friend.mid } },
          },
        });
        assert.deepEqual(result, {});
        const refused = await client.call('RelationService.addFriendByMid', {
          reqSeq: 6,
          userMid: `u${'0'.repeat(32)}`,
        });
        assert.equal(refused.status, 400);
        assert.deepEqual([refused.body.data?.name, refused.body.data?.rejectionReason] as unknown[], [
          'RejectedException',
          1,
        ]);
      });

      test('learns from code 6 that it asked for too many', async () => {
        const { client } = await loggedIn(kind);
        const many = Array.from({ length: 101 }, () => friend.mid);
        for (const [method, request] of [
          ['TalkService.getContactsV2', { targetUserMids: many }],
          ['TalkService.getChats', { chatMids: many }],
        ] as const) {
          const { status, body } = await client.call(method, request, 2);
          assert.equal(status, 400);
          assert.equal(body.data?.code as unknown, 6);
          assert.match(text(body.data?.reason), /^Invalid Length/);
        }
      });
    });

    describe('a typed library', () => {
      const kind = clientKinds.typed;

      test('asks for chats without flags and gets them without lists', async () => {
        const { client } = await loggedIn(kind);
        const { chat } = await client.result('TalkService.createChat', {
          reqSeq: 2,
          type: 0,
          name: 'tea',
          targetUserMids: [friend.mid],
        });
        const { chats } = await client.result('TalkService.getChats', { chatMids: [chat?.chatMid] }, 2);
        assert.deepEqual([items(chats)[0]?.extra?.groupExtra?.memberMids], [undefined]);
        const { contacts } = await client.result('TalkService.getContactsV2', { targetUserMids: [friend.mid] });
        assert.match(text(contacts?.[friend.mid]?.contact?.mid), mid);
      });

      test('repeats a send and gets the earlier message', async () => {
        const { client } = await loggedIn(kind);
        const message = { to: friend.mid, text: 'once', contentType: 0 };
        const first = await client.result('TalkService.sendMessage', 41, message);
        assert.deepEqual(await client.result('TalkService.sendMessage', 41, message), first);
        const page = await client.result(
          'TalkService.getPreviousMessagesV2WithRequest',
          { messageBoxId: friend.mid, messagesCount: 10 },
          1,
        );
        assert.equal(items(page).length, 1);
      });

      test('renews with the refresh token alone, unsigned', async () => {
        const { client, login } = await loggedIn(kind);
        const { refreshToken } = login.tokenV3IssueResult ?? {};
        const { status, body } = await client.post(
          httpPaths.tokenRefresh,
          { refreshToken },
          { signature: false, token: undefined },
        );
        assert.equal(status, 200);
        assert.ok(isText((body as unknown as Loose).accessToken));
        const bad = await client.post(httpPaths.tokenRefresh, { refreshToken: 'bad' }, { signature: false });
        assert.deepEqual([bad.status, bad.body.code, bad.body.message], [400, 10201, 'AUTH_INVALID_REQUEST']);
      });

      test('must send something in the place of the signature on other calls', async () => {
        const { client } = await loggedIn(kind);
        const { status, body } = await client.post(pathOf('TalkService.getProfile'), [], { signature: false });
        assert.deepEqual([status, body.code], [400, 10005]);
      });
    });
  });
}

// This test comes last, because it needs the calls of all tests before it.
test('the table of the page on clients has the calls that were tried here', () => {
  assert.deepEqual(clientsOfFile.callsTried(), callsOfClients.calls);
});
