// The accounts whose calls are mutated, and two accounts that nothing touches. All are made on a running server.
import { randomBytes } from 'node:crypto';
import type { Sample } from '@sealpost/conformance/testing';
import { contentTypes, timelineChannel } from '@sealpost/contract';
import { createRpcClient, type RpcClient } from '@sealpost/sdk';
import { createAdminClient } from '@sealpost/sdk/admin';
import { logInAdministrator } from '../administrators.ts';

/** The parts of a server that this module needs. */
export interface Place {
  readonly url: string;
  readonly adminToken: string;
}

/** An account that calls, with ids of things that exist. Several callers may be one account. */
export interface Caller {
  readonly mid: string;
  readonly token: string;
  readonly channelToken: string;
  readonly refreshToken: string;
  readonly sample: Sample;
  /** The id of a message whose object is not uploaded yet. */
  readonly fileMessage: string;
}

export interface Cast {
  readonly callers: readonly Caller[];
  readonly adminToken: string;
  /** The value of the header Cookie of an administrator who is logged in. */
  readonly administratorCookie: string;
  /** The user id of an account that calls of the admin API may change and delete. */
  readonly expendable: string;
}

const CALLERS = 4;
/** Chats of each account. Calls may end chats, and another chat is then still there. */
const CHATS = 4;

let made = 0;

async function newAccount(
  { url, adminToken: token }: Place,
  userid = `abuse-${++made}`,
): Promise<{ client: RpcClient; mid: string; id: string }> {
  const password = `password of ${userid}`;
  const { mid } = await createAdminClient({ url, token }).createAccount({ userid, password, displayName: userid });
  const client = createRpcClient({ url });
  await client.login({ identifier: userid, password });
  return { client, mid, id: userid };
}

export async function createCast(place: Place): Promise<Cast> {
  const accounts = [];
  for (let n = 0; n < CALLERS; n++) accounts.push(await newAccount(place));
  const callers: Caller[] = [];
  for (const [n, { client, mid }] of accounts.entries()) {
    const friend = accounts[(n + 1) % CALLERS]?.mid ?? '';
    const { token: channelToken } = await client.ChannelService.issueChannelToken(timelineChannel);
    const { accessToken: token = '', refreshToken = '' } = client.session?.tokens ?? {};
    for (let turn = 0; turn < CHATS; turn++) {
      const group = { reqSeq: 0, type: 0 as const, name: 'tea', targetUserMids: [friend] };
      const { chatMid } = (await client.TalkService.createChat(group)).chat;
      const message = await client.sendText(friend, 'hello');
      const file = await client.TalkService.sendMessage(0, { to: chatMid, contentType: contentTypes.FILE });
      const sample = { friend, chat: chatMid, message: message.id };
      callers.push({ mid, token, channelToken, refreshToken, sample, fileMessage: file.id });
    }
    // Two with a key may send each other sealed messages only, so half of the accounts have none.
    const keyData = randomBytes(32).toString('base64');
    if (n >= CALLERS / 2) await client.TalkService.registerE2EEPublicKey(0, { keyData });
  }
  for (const { client } of accounts) client.close();
  const { cookie } = await logInAdministrator(place, { name: `abuse-${made}` });
  const expendable = await newAccount(place);
  expendable.client.close();
  return { callers, adminToken: place.adminToken, administratorCookie: cookie, expendable: expendable.id };
}

/** Two accounts that no mutated call knows. */
export interface Untouched {
  /** Returns all that the two see of each other, as JSON. */
  read(): Promise<string>;
  /** Returns whether a message still gets from one to the other. */
  talk(): Promise<boolean>;
  close(): void;
}

const MESSAGES = 20;

export async function createUntouched(place: Place): Promise<Untouched> {
  // A changed call may shorten a user id. So the ids of these two never begin another one.
  const [one, two] = [await newAccount(place, 'quiet-one'), await newAccount(place, 'quiet-two')];
  const targetUserMids = [two.mid];
  const { chat } = await one.client.TalkService.createChat({ reqSeq: 2, type: 0, name: 'quiet', targetUserMids });
  for (let n = 1; n <= MESSAGES; n++) await one.client.sendText(n % 2 === 0 ? two.mid : chat.chatMid, `quiet ${n}`);
  const readAs = async ({ TalkService }: RpcClient, other: string) => [
    await TalkService.getProfile(),
    await TalkService.getLastOpRevision(),
    await TalkService.getChats({ chatMids: [chat.chatMid], withMembers: true, withInvitees: true }),
    await TalkService.getRecentMessagesV2(other, MESSAGES),
  ];
  return {
    read: async () => JSON.stringify([await readAs(one.client, two.mid), await readAs(two.client, one.mid)]),
    async talk() {
      const { id } = await one.client.sendText(two.mid, 'still here');
      return (await two.client.TalkService.getRecentMessagesV2(one.mid, 1))[0]?.id === id;
    },
    close() {
      for (const { client } of [one, two]) client.close();
    },
  };
}
