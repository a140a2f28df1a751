// Another account in a scenario: it uses the SDK to write to the client and to read the client's answers.
import { contentTypes, type Message, type Operation, operationTypes } from '@sealpost/contract';
import { createRpcClient, createSealingClient, type RpcClient, type SealingClient, systemPorts } from '@sealpost/sdk';
import type { TestServer } from '../test-server.ts';

/**
 * The value of `X-Dev-Tag` in calls that the run itself makes. Calls without this tag come from the client under test.
 */
export const OWN_TAG = 'grades';

export interface Friend {
  readonly mid: string;
  readonly userid: string;
  readonly rpc: RpcClient;
  /** Seals and opens messages. The friend has keys from the first use on. */
  readonly sealing: SealingClient;
  /** Sends an unsealed text to the client, or into a chat. */
  say(text: string, to?: string): Promise<Message>;
  /** Sends a sealed text to the client, or into a chat. */
  saySealed(text: string, to?: string): Promise<Message>;
  /** Returns the messages that came from the client, the oldest first; sealed ones are opened. */
  received(): Promise<readonly Received[]>;
  /**
   * Returns the texts that the client sent into a chat; without `chatMid`, into the one-to-one chat with the friend.
   */
  heard(chatMid?: string): Promise<string[]>;
  close(): void;
}

/** A message that came from the client. */
export interface Received {
  readonly message: Message;
  readonly text: string;
  readonly sealed: boolean;
}

const WEEK_S = 7 * 24 * 3600;

export async function createFriend(server: TestServer, userid: string, client: { mid: string }): Promise<Friend> {
  const rpc = await sessionOf(server, userid);
  const mid = rpc.session?.mid ?? '';
  const sealing = createSealingClient(rpc);
  const operations: Operation[] = [];
  const opened = new Map<string, Promise<Received>>();

  async function open(message: Message): Promise<Received> {
    const sealed = (message.chunks?.length ?? 0) > 0;
    const { text = '' } = sealed ? await sealing.open(message) : message;
    return { message, text, sealed };
  }

  const friend: Friend = {
    mid,
    userid,
    rpc,
    sealing,
    say: (text, to = client.mid) => rpc.sendText(to, text),
    async saySealed(text, to = client.mid) {
      const { message } = await sealing.send({ to, text, contentType: contentTypes.NONE }, 'sealed');
      return message;
    },
    async received() {
      const after = Number(operations.at(-1)?.revision ?? 0);
      operations.push(...(await server.operations(userid, after)));
      const messages = operations.flatMap(({ type, message }) =>
        type === operationTypes.RECEIVE_MESSAGE && message?.from === client.mid ? [message] : [],
      );
      for (const message of messages) {
        if (!opened.has(message.id)) opened.set(message.id, open(message));
      }
      return Promise.all(opened.values());
    },
    async heard(chatMid = mid) {
      const received = await friend.received();
      return received
        .filter(({ message }) => message.to === chatMid && message.contentType === contentTypes.NONE)
        .map(({ text }) => text);
    },
    close() {
      sealing.close();
      rpc.close();
    },
  };
  return friend;
}

/** Opens a session of an account. Its calls carry the tag of the run. */
export async function sessionOf(server: TestServer, userid: string): Promise<RpcClient> {
  const { mid, accessToken, refreshToken } = await server.login(userid);
  return createRpcClient({
    url: server.url,
    buildToken: server.buildToken,
    brand: server.brand,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('X-Dev-Tag', OWN_TAG);
      return fetch(input, { ...init, headers });
    },
    session: {
      mid,
      tokens: {
        accessToken,
        refreshToken,
        loginSessionId: '',
        durationUntilRefreshInSec: String(WEEK_S),
        tokenIssueTimeEpochSec: String(Math.floor(systemPorts.clock.now() / 1000)),
        refreshApiRetryPolicy: {
          initialDelayInMillis: '1000',
          maxDelayInMillis: '60000',
          multiplier: 2,
          jitterRate: 0.3,
        },
      },
    },
  });
}
