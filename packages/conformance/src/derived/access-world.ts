// Creates the accounts that the access rules need on a running server, and the things that these accounts share.

import { type MethodName, timelineChannel } from '@sealpost/contract';
import type { RpcClient } from '@sealpost/sdk';
import type { RawAnswer, RawClient } from '../raw-client.ts';
import { randomBytes } from '../surroundings.ts';
import { type AccessRule, card, type Relation, relations, type World } from './access-rules.ts';

export interface Member {
  readonly client: RpcClient;
  readonly mid: string;
  /** Creates another session of the same account. */
  session(): Promise<RpcClient>;
}

/** A product of the sticker shop, and one of its stickers. */
export interface Product {
  readonly id: string;
  readonly sticker: string;
}

/**
 * Functions that create accounts and packs. Tests of the server create them directly in a server inside the test; the
 * kit uses the admin API.
 */
export interface Makers {
  user(relation: Relation): Promise<Member>;
  /** Creates an official account and returns its mid. */
  official(): Promise<string>;
  /** Returns a pack that is given to this account only. Its owner can put a text on the stickers. */
  product(owner: string): Promise<Product>;
}

export interface People {
  readonly users: Readonly<Record<Relation, Member>>;
  call(as: Relation, method: MethodName, args: readonly unknown[]): Promise<RawAnswer>;
  /**
   * Creates new things for the arguments of rules. Sessions and pending logins are created only if `object` asks for
   * them.
   */
  things(object?: AccessRule['object']): Promise<(caller: Relation) => World>;
}

export async function createPeople(make: Makers, raw: RawClient): Promise<People> {
  const entries: [Relation, Member][] = [];
  for (const relation of relations) entries.push([relation, await make.user(relation)]);
  const users = Object.fromEntries(entries) as Record<Relation, Member>;
  const official = await make.official();
  const mids = Object.fromEntries(entries.map(([relation, { mid }]) => [relation, mid])) as Record<Relation, string>;
  const { TalkService, PrimaryDeviceService } = users.self.client;
  await TalkService.findAndAddContactsByMid(2, 0, [mids.contact]);
  await TalkService.blockContact(3, mids.blocked);
  for (const relation of relations) {
    const keyData = randomBytes(32).toString('base64');
    await users[relation].client.TalkService.registerE2EEPublicKey(0, { keyData });
  }

  const product = await make.product(mids.self);
  const { refreshToken } = await users.self.client.ChannelService.issueChannelToken(timelineChannel);

  const joins = (relation: Relation, chatMid: string) =>
    users[relation].client.TalkService.acceptChatInvitation({ reqSeq: 0, chatMid });
  const newSession = async (): Promise<string> => (await users.self.session()).session?.tokens.loginSessionId as string;
  /** Returns the id of a QR login that the owner has just scanned. */
  async function newPendingLogin(): Promise<string> {
    const created = await raw.call('SecondaryQrCodeLoginService.createSession', []);
    const authSessionId = created.body.data?.authSessionId as unknown as string;
    const code = await raw.call('SecondaryQrCodeLoginService.createQrCode', [{ authSessionId }]);
    const loginId = String(code.body.data?.callbackUrl).split('/').at(-1) ?? '';
    await PrimaryDeviceService.scanQrCode({ loginId });
    return loginId;
  }

  return {
    users,
    call: (as, method, args) => raw.call(method, args, users[as].client.session?.tokens.accessToken),
    async things(object) {
      const send = async (to: string) => (await users.self.client.send(card(to))).id;
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
      const loginSession = object === 'session' ? await newSession() : '';
      const pendingLogin = object === 'pending login' ? await newPendingLogin() : '';
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
        pendingLogin,
        official,
        product: product.id,
        sticker: product.sticker,
        channelRefreshToken: refreshToken,
      });
    },
  };
}
