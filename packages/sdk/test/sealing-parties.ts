// Accounts with and without Letter Sealing on a running server.
import { chatTypes, settingsAttributes } from '@sealpost/contract';
import type { TestServer, TestUser } from '@sealpost/dev-env/harness';
import {
  createRpcClient,
  createSealingClient,
  type KeyStore,
  memoryKeyStore,
  type RpcClient,
  type RpcClientOptions,
  type SealingClient,
} from '@sealpost/sdk';

export interface Party {
  readonly user: TestUser;
  readonly mid: string;
  readonly client: RpcClient;
  readonly keyStore: KeyStore;
  readonly sealing: SealingClient;
  /** Returns the same account and keys in a newly started client. */
  again(options?: Partial<RpcClientOptions>): Promise<Party>;
  /** Returns the same account on a device without its keys. */
  elsewhere(): Promise<Party>;
  turn(onOff: 'on' | 'off'): Promise<void>;
}

function partyOf(
  server: TestServer,
  user: TestUser,
  client: RpcClient,
  options: Partial<RpcClientOptions> = {},
): Party {
  const fresh = async (more: Partial<RpcClientOptions>) => {
    const { session } = await user.session();
    if (!session) throw new Error('the session has no tokens');
    return partyOf(server, user, createRpcClient({ url: server.url, session, ...more }), more);
  };
  return {
    user,
    mid: user.mid,
    client,
    keyStore: client.keyStore,
    sealing: createSealingClient(client, options.clock ? { clock: options.clock } : {}),
    again: (more) => fresh({ keyStore: client.keyStore, ...more }),
    elsewhere: () => fresh({ keyStore: memoryKeyStore() }),
    async turn(onOff) {
      const e2eeEnable = onOff === 'on';
      await client.TalkService.updateSettingsAttributes2(client.nextReqSeq(), [settingsAttributes.E2EE_ENABLE], {
        e2eeEnable,
      });
    },
  };
}

/** Creates an account with a key, unless the options say that it has none. */
export async function aParty(
  server: TestServer,
  name = 'party',
  { key = true, kind = 'user' }: { key?: boolean; kind?: 'user' | 'official' } = {},
): Promise<Party> {
  const user = await server.user(name, kind);
  const party = partyOf(server, user, user.client);
  if (key) await party.sealing.ownKey();
  return party;
}

/** Creates a room. Its members need not accept an invitation. */
export async function aRoom(creator: Party, ...members: readonly Party[]): Promise<string> {
  const targetUserMids = members.map(({ mid }) => mid);
  const { chat } = await creator.client.TalkService.createChat({ reqSeq: 0, type: chatTypes.ROOM, targetUserMids });
  return chat.chatMid;
}

/** Creates a group that all members have joined. */
export async function aGroup(creator: Party, ...members: readonly Party[]): Promise<string> {
  const targetUserMids = members.map(({ mid }) => mid);
  const { chat } = await creator.client.TalkService.createChat({
    reqSeq: 0,
    type: chatTypes.GROUP,
    name: 'group',
    targetUserMids,
  });
  for (const member of members) await join(member, chat.chatMid);
  return chat.chatMid;
}

export const join = (member: Party, chatMid: string) =>
  member.client.TalkService.acceptChatInvitation({ reqSeq: member.client.nextReqSeq(), chatMid });

/** Returns a `fetch` that counts the calls of one method. `answer` may answer a call in place of the server. */
export function watchedCalls(method: string, answer?: (call: number) => Response | undefined) {
  const calls: { readonly args: readonly unknown[] }[] = [];
  const watching: typeof fetch = async (input, init) => {
    if (!String(input).endsWith(`/${method}`)) return fetch(input, init);
    calls.push({ args: JSON.parse(String(init?.body)) as unknown[] });
    return answer?.(calls.length) ?? fetch(input, init);
  };
  return { calls, fetch: watching };
}

/** Returns the answer of a server that refuses with a talk code. */
export const refusal = (code: number, reason = 'refused by the test'): Response =>
  Response.json(
    { code: 10051, message: 'RESPONSE_ERROR', data: { name: 'TalkException', code, reason, parameterMap: null } },
    { status: 400 },
  );
