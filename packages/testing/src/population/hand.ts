// A person's client: the SDK with the person's keys, as any other program of the account would have them.
import type { KeyPair } from '@sealpost/crypto';
import {
  type ClientPorts,
  type Clock,
  createRpcClient,
  createSealingClient,
  createVerbs,
  type Media,
  memoryKeyStore,
  type RpcClient,
  type SealingClient,
  type Verbs,
} from '@sealpost/sdk';
import type { Person } from './people.ts';

export interface Hand {
  readonly person: Person;
  readonly rpc: RpcClient;
  /** Seals and opens messages; undefined for people who do not seal. */
  readonly sealing: SealingClient | undefined;
  readonly verbs: Verbs;
  readonly media: Media;
}

export interface Gateway {
  readonly url: string;
  readonly buildToken: string;
  readonly brand: string;
}

export interface HandOptions extends Partial<ClientPorts> {
  /** Wraps the usual client. Calls then go through the returned client. */
  readonly through?: (rpc: RpcClient) => RpcClient;
  /** The clock that decides when sealing asks again for the keys of other people. */
  readonly sealingClock?: Clock;
}

export function handOf(
  person: Person,
  gateway: Gateway,
  { through = (rpc) => rpc, sealingClock, ...ports }: HandOptions,
): Hand {
  const rpc = through(createRpcClient({ ...gateway, ...ports, keyStore: keyStoreOf(person.keys) }));
  const sealing = person.keys && createSealingClient(rpc, { ...ports, ...(sealingClock && { clock: sealingClock }) });
  return { person, rpc, sealing, verbs: createVerbs(rpc, ports), media: rpc.media(sealing) };
}

/**
 * Returns a key store with the person's key, marked as not registered yet. The SDK registers the key before its first
 * use. Registering the same key again is harmless: the server answers with the stored record.
 */
function keyStoreOf(keys: KeyPair | undefined) {
  const store = memoryKeyStore();
  if (!keys) return store;
  return { ...store, unregisteredKeys: async (mid: string) => ((await store.ownKeys(mid)).length > 0 ? [] : [keys]) };
}
