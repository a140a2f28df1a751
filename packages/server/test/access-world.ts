// The people and things of the access rules, over a real server.
import { randomBytes } from 'node:crypto';
import type { MethodName } from '@sealpost/contract';
import { type Relation, relations, type World } from './access-rules.ts';
import type { TestServer, TestUser } from './harness.ts';
import type { RawAnswer, RawClient } from './raw-client.ts';

export interface People {
  readonly users: Readonly<Record<Relation, TestUser>>;
  readonly official: string;
  call(as: Relation, method: MethodName, args: readonly unknown[]): Promise<RawAnswer>;
  /** The id of a QR login that the owner scanned just now. */
  pendingLogin(): Promise<string>;
  /** Fresh things. */
  things(): Promise<(caller: Relation) => World>;
}

export async function createPeople(server: TestServer, raw: RawClient): Promise<People> {
  const entries: [Relation, TestUser][] = [];
  for (const relation of relations) entries.push([relation, await server.user(relation)]);
  const users = Object.fromEntries(entries) as Record<Relation, TestUser>;
  const official = await server.server.slices.accounts.create({
    userid: 'official-account',
    password: 'password of the official account',
    displayName: 'official',
    kind: 'official',
  });
  const mids = Object.fromEntries(entries.map(([relation, { mid }]) => [relation, mid])) as Record<Relation, string>;
  const { TalkService } = users.self.client;
  await TalkService.findAndAddContactsByMid(2, 0, [mids.contact]);
  await TalkService.blockContact(3, mids.blocked);
  for (const relation of relations) {
    const keyData = randomBytes(32).toString('base64');
    await users[relation].client.TalkService.registerE2EEPublicKey(0, { keyData });
  }
  const device = await users.self.session();
  const loginSession = device.session?.tokens.loginSessionId as string;

  const joins = (relation: Relation, chatMid: string) =>
    users[relation].client.TalkService.acceptChatInvitation({ reqSeq: 0, chatMid });

  return {
    users,
    official: official.mid,
    call: (as, method, args) => raw.call(method, args, users[as].client.session?.tokens.accessToken),
    async pendingLogin() {
      // An account may have a few waiting logins only: earlier ones make room.
      const { PrimaryDeviceService } = users.self.client;
      for (const { loginId } of await PrimaryDeviceService.getPendingLogins()) {
        await PrimaryDeviceService.denyLogin({ loginId }).catch(() => {});
      }
      const created = await raw.call('SecondaryQrCodeLoginService.createSession', []);
      const authSessionId = created.body.data?.authSessionId as unknown as string;
      await raw.call('SecondaryQrCodeLoginService.createQrCode', [{ authSessionId }]);
      await PrimaryDeviceService.scanQrCode({ authSessionId });
      return authSessionId;
    },
    async things() {
      const send = async (to: string) => (await users.self.client.sendText(to, 'hello')).id;
      const { chat } = await TalkService.createChat({
        reqSeq: 0,
        type: 0,
        name: 'group',
        targetUserMids: [mids.member, mids.invitee, mids['ex-member'], mids.rejected],
      });
      const group = chat.chatMid;
      await joins('member', group);
      await joins('ex-member', group);
      await users['ex-member'].client.TalkService.deleteSelfFromChat({ reqSeq: 0, chatMid: group });
      await users.rejected.client.TalkService.rejectChatInvitation({ reqSeq: 0, chatMid: group });
      const groupMessage = await send(group);
      const keys = Object.entries(await TalkService.getLastE2EEPublicKeys(group));
      const groupKey: World['groupKey'] = [
        keys.map(([mid]) => mid),
        keys.map(([, key]) => key.keyId),
        keys.map(() => randomBytes(48).toString('base64')),
      ];
      const { groupKeyId } = await TalkService.registerE2EEGroupKey(1, group, ...groupKey);
      const room = (await TalkService.createChat({ reqSeq: 0, type: 1, targetUserMids: [mids.member] })).chat.chatMid;
      const roomMessage = await send(room);
      const directMessage = await send(mids.contact);
      return (caller) => ({
        mids,
        caller: mids[caller],
        group,
        groupMessage,
        groupKey,
        groupKeyId,
        room,
        roomMessage,
        direct: caller === 'self' ? mids.contact : mids.self,
        directMessage,
        loginSession,
        pendingLogin: '',
        official: official.mid,
      });
    },
  };
}
