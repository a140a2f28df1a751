// What clients do on a test server, so that the inspector has something to show.
import { createKeyPair, type KeyPair, sealMessage, sharedSecret, toBase64 } from '@sealpost/crypto';
import { createRpcClient, type RpcClient } from '@sealpost/sdk';
import type { TestServer } from '@sealpost/testing';

/** Returns a client with a session of an account. */
export async function clientOf(server: TestServer, account: string): Promise<RpcClient> {
  const { mid, userid: _, ...tokens } = await server.login(account);
  return createRpcClient({ url: server.url, buildToken: server.buildToken, session: { mid, tokens } });
}

export const midOf = (server: TestServer, userid: string): string =>
  server.accounts.find((account) => account.userid === userid)?.mid ?? '';

/** Somebody with a registered key. */
export interface Sealer extends KeyPair {
  readonly mid: string;
  readonly client: RpcClient;
  readonly keyId: number;
}

/** Logs somebody in and registers a key. */
export async function sealer(server: TestServer, userid: string, keys: KeyPair = createKeyPair()): Promise<Sealer> {
  const client = await clientOf(server, userid);
  const { keyId } = await client.TalkService.registerE2EEPublicKey(client.nextReqSeq(), {
    version: 1,
    keyId: 0,
    keyData: toBase64(keys.publicKey),
  });
  return { ...keys, client, keyId, mid: midOf(server, userid) };
}

/** Seals a text and sends it. Returns the message as it was sent. */
export async function sendSealed(from: Sealer, to: Sealer, text: string) {
  const keys = {
    sharedSecret: sharedSecret(from.privateKey, to.publicKey),
    senderKeyId: from.keyId,
    receiverKeyId: to.keyId,
  };
  const envelope = { from: from.mid, to: to.mid, contentType: 0 } as const;
  const chunks = await sealMessage(keys, envelope, { text });
  const message = { ...envelope, chunks, contentMetadata: { e2eeVersion: '2' } };
  await from.client.TalkService.sendMessage(from.client.nextReqSeq(), { ...message, id: '', toType: 0 });
  return message;
}
