// People who seal, and people whose sealing is off, on a running server.
import { chatTypes, settingsAttributes } from '@sealpost/contract';
import type { TestServer, TestUser } from '@sealpost/dev-env/harness';
import {
  type Client,
  type ClientOptions,
  createClient,
  createSealingClient,
  type KeyStore,
  memoryKeyStore,
  type SealingClient,
} from '@sealpost/sdk';

export interface Party {
  readonly user: TestUser;
  readonly mid: string;
  readonly client: Client;
  readonly keyStore: KeyStore;
  readonly sealing: SealingClient;
  /** The same account with the same keys in a client that has just been started. */
  again(options?: Partial<ClientOptions>): Promise<Party>;
  /** The same account on a device without its keys. */
  elsewhere(): Promise<Party>;
  turn(onOff: 'on' | 'off'): Promise<void>;
}

function partyOf(server: TestServer, user: TestUser, client: Client, options: Partial<ClientOptions> = {}): Party {
  const fresh = async (more: Partial<ClientOptions>) => {
    const { session } = await user.session();
    if (!session) throw new Error('the session has no tokens');
    return partyOf(server, user, createClient({ url: server.url, session, ...more }), more);
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

/** An account that has a key, unless it is said to have none. */
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

/** A room: its members are in it at once. */
export async function aRoom(creator: Party, ...members: readonly Party[]): Promise<string> {
  const targetUserMids = members.map(({ mid }) => mid);
  const { chat } = await creator.client.TalkService.createChat({ reqSeq: 0, type: chatTypes.ROOM, targetUserMids });
  return chat.chatMid;
}

/** A group that everybody has joined. */
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

/** Calls of one method, counted on their way; `answer` may answer them in the server's place. */
export function watchedCalls(method: string, answer?: (call: number) => Response | undefined) {
  const calls: { readonly args: readonly unknown[] }[] = [];
  const watching: typeof fetch = async (input, init) => {
    if (!String(input).endsWith(`/${method}`)) return fetch(input, init);
    calls.push({ args: JSON.parse(String(init?.body)) as unknown[] });
    return answer?.(calls.length) ?? fetch(input, init);
  };
  return { calls, fetch: watching };
}

/** The answer of a server that refuses with a talk code. */
export const refusal = (code: number, reason = 'refused by the test'): Response =>
  Response.json(
    { code: 10051, message: 'RESPONSE_ERROR', data: { name: 'TalkException', code, reason, parameterMap: null } },
    { status: 400 },
  );
