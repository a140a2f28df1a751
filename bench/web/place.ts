// A real server with a filled account, and a friend of this account who sends messages.
import path from 'node:path';
import { type CuttingProxy, cuttingProxy } from '@sealpost/dev-env/proxies/cutting';
import { createRpcClient, createSealingClient } from '@sealpost/sdk';
import { credentialOf, type Gateway, makeUsers, startGateway } from '../gateway.ts';
import type { User } from '../request.ts';
import { type Amounts, type Filled, fill } from './fill.ts';

export interface Account {
  readonly mid: string;
  readonly userid: string;
  readonly password: string;
}

/** The friend, who sends messages to the account. Each message is sealed. */
export interface Friend {
  readonly mid: string;
  send(text: string): Promise<void>;
}

export interface Place extends Filled {
  readonly url: string;
  /** The proxy between the browser and the server, which can cut the connection. */
  readonly network: CuttingProxy;
  readonly account: Account;
  readonly friend: Friend;
  close(): Promise<void>;
}

/** Starts a server in an empty folder, fills an account while the server is stopped, and starts the server again. */
export async function openPlace(folder: string, amounts: Amounts): Promise<Place> {
  const first = await startGateway(folder);
  const [owner, peer] = (await makeUsers(first, 2)) as [User, User];
  await befriend(first, peer.mid);
  await first.stop();
  const filled = fill(path.join(folder, 'data/sealpost.db'), owner.mid, peer.mid, amounts);
  const gateway = await startGateway(folder);
  const network = await cuttingProxy(gateway.url);
  const friend = await logInFriend(gateway, owner.mid);
  const { identifier: userid, password } = credentialOf(0);
  return {
    ...filled,
    url: network.url,
    network,
    account: { mid: owner.mid, userid, password },
    friend: { mid: peer.mid, send: friend.send },
    async close() {
      friend.close();
      await network.close();
      await gateway.stop();
    },
  };
}

/** Makes the friend a contact of the account, and writes the first message. */
async function befriend({ url }: Gateway, friendMid: string): Promise<void> {
  const client = createRpcClient({ url });
  await client.login(credentialOf(0));
  await client.RelationService.addFriendByMid({ reqSeq: client.nextReqSeq(), userMid: friendMid });
  await client.sendText(friendMid, 'hello');
  client.close();
}

async function logInFriend(
  { url }: Gateway,
  mid: string,
): Promise<{ send(text: string): Promise<void>; close(): void }> {
  const client = createRpcClient({ url });
  await client.login(credentialOf(1));
  const sealing = createSealingClient(client);
  return {
    send: async (text) => void (await sealing.sendText(mid, text)),
    close: () => client.close(),
  };
}
