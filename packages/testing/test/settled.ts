// Helpers of the tests of populations: a small population on a server, and what its people see.
import { contentTypes } from '@sealpost/contract';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { type VirtualTime, virtualTime } from '@sealpost/dev-env/virtual-time';
import {
  createRpcClient,
  createSealingClient,
  memoryKeyStore,
  type OpenedMessage,
  type RpcClient,
  type SealingClient,
} from '@sealpost/sdk';
import { createPopulation, type HistoryOptions, type Population } from '@sealpost/testing/population';
import { seededRandom } from '../src/seed/seeded-random.ts';

export const ENDS_AT = Date.UTC(2026, 4, 29, 18, 30);
const YEAR = 365 * 86_400_000;

export interface SettledServer {
  readonly server: TestServer;
  readonly time: VirtualTime;
  readonly population: Population;
}

export async function settle(options: Partial<HistoryOptions> = {}): Promise<SettledServer> {
  const time = virtualTime(ENDS_AT - 4 * YEAR);
  const server = await startServer({ strict: false, servers: 1, ports: { clock: time, random: seededRandom('test') } });
  const wanted = { people: 9, messages: 240, years: 1, endsAt: ENDS_AT, ...options };
  const population = await createPopulation({ server: server.server, time, ...wanted });
  return { server, time, population };
}

export type SettledPerson = Population['people'][number];

export interface Visitor {
  readonly rpc: RpcClient;
  readonly sealing: SealingClient;
}

/** Logs in as a person on another device, which has the person's keys. */
export async function visit({ server, time }: SettledServer, person: SettledPerson): Promise<Visitor> {
  const keyStore = memoryKeyStore();
  if (person.keys) await keyStore.addUnregisteredKey(person.mid, person.keys);
  const rpc = createRpcClient({ url: server.url, keyStore, ...time.ports });
  server.atEnd(() => rpc.close());
  await rpc.login({ identifier: person.userid, password: person.password });
  return { rpc, sealing: createSealingClient(rpc, time.ports) };
}

/** Returns all messages that a person sees, by the chat, the oldest first. */
export async function messagesOf({ rpc, sealing }: Visitor): Promise<Map<string, OpenedMessage[]>> {
  const { messageBoxes } = await rpc.TalkService.getMessageBoxes({ messageBoxCountLimit: 1000 });
  const found = new Map<string, OpenedMessage[]>();
  for (const { id } of messageBoxes) found.set(id, (await sealing.history(id, 1000)).reverse());
  return found;
}

/** Returns what a message says, without what every run draws anew: salts, objects and keys. */
export function contentOf({ id, from, to, createdTime, contentType, text, ...message }: OpenedMessage) {
  const { MENTION, STKID, UNSENT, FILE_SIZE } = message.contentMetadata;
  const reactions = (message.reactions ?? [])
    .map(({ fromUserMid, reactionType }) => `${fromUserMid} ${reactionType.predefinedReactionType}`)
    .sort();
  return {
    ...{ id, from, to, createdTime, contentType, text, reactions, MENTION, STKID, UNSENT, FILE_SIZE },
    answers: message.relatedMessageId,
    place: contentType === contentTypes.LOCATION ? message.location : undefined,
  };
}
