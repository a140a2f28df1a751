// Accounts with a registered key. Their clients store their keys, and connect through any address.
import { createKeyPair, toBase64 } from '@sealpost/crypto';
import type { TestServer, TestUser } from '@sealpost/dev-env/harness';
import { createRpcClient, type KeyStore, memoryKeyStore, type RpcClient, type TrustEvent } from '@sealpost/sdk';

export interface KeyOwner {
  readonly mid: string;
  readonly user: TestUser;
  readonly client: RpcClient;
  readonly keyStore: KeyStore;
  readonly events: TrustEvent[];
  /** Registers another key and stores it. Returns its id. */
  register(): Promise<number>;
  /** Returns another client of the same device, with the same key store. */
  again(url?: string): RpcClient;
}

/** Marks a contact as verified with the number that this side shows. Returns undefined if that is not the number any more. */
export const markVerified = async ({ trust }: Pick<RpcClient, 'trust'>, mid: string) =>
  trust.verify(mid, (await trust.contact(mid)).digits);

/** Creates an account with one key. */
export async function keyOwner(server: TestServer, url = server.url, name?: string): Promise<KeyOwner> {
  const user = await server.user(name);
  const keyStore = memoryKeyStore();
  const events: TrustEvent[] = [];
  const again = (at = url): RpcClient => {
    const session = user.client.session;
    if (!session) throw new Error('the session has ended');
    const client = createRpcClient({ url: at, session, keyStore });
    client.trust.onEvent((event) => events.push(event));
    return client;
  };
  async function register(): Promise<number> {
    const pair = createKeyPair();
    const key = { keyData: toBase64(pair.publicKey) };
    const { keyId, createdTime } = await user.client.TalkService.registerE2EEPublicKey(user.client.nextReqSeq(), key);
    await keyStore.addOwnKeys(user.mid, [{ ...pair, version: 1, keyId, createdTime: Number(createdTime) }]);
    return keyId;
  }
  await register();
  return { mid: user.mid, user, client: again(), keyStore, events, register, again };
}
