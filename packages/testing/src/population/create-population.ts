// Plays the history of a population on a server whose time can be moved. So every message gets a time in the past.
import { systemPorts } from '@sealpost/sdk';
import type { RunningServer } from '@sealpost/server';
import { seededRandom } from '../seed/seeded-random.ts';
import { itemAt } from './chance.ts';
import type { PlannedChat } from './chats.ts';
import type { Deed } from './deeds.ts';
import { withDirectCalls } from './direct-calls.ts';
import { type Gateway, type Hand, handOf } from './hand.ts';
import { type History, type HistoryOptions, planHistory } from './history.ts';
import type { Person } from './people.ts';
import { perform, type World } from './perform.ts';
import { photoDrawer } from './pictures.ts';

/** The clock that the server uses. Its time must not be later than the beginning of the history. */
export interface MovableTime {
  now(): number;
  /** Moves the time forward by milliseconds. */
  move(ms: number): void;
}

export interface PopulationOptions extends Partial<HistoryOptions> {
  readonly server: RunningServer;
  /** The clock of the server. */
  readonly time: MovableTime;
  readonly buildToken?: string;
  readonly brand?: string;
  /** Called repeatedly, with the number of finished deeds and the number of all deeds. */
  readonly onProgress?: (done: number, all: number) => void;
}

/** A population on a server. */
export interface Population {
  readonly seed: number;
  readonly people: readonly (Person & { readonly mid: string })[];
  /** The chats; `mid` is undefined for a chat of two. */
  readonly chats: readonly (PlannedChat & { readonly mid: string | undefined })[];
  /** Number of messages that people sent. */
  readonly messages: number;
}

export const DEFAULT_PEOPLE = 50;
export const DEFAULT_SEED = 1;
export const DEFAULT_DEVELOPERS = ['alice', 'bob', 'carol'] as const;
const DEFAULT_YEARS = 2;
const MESSAGES_OF_EACH = 400;
const DAY = 86_400_000;
/** A person logs in again after this time, because a session ends after a year without a renewal. */
const SESSION = 300 * DAY;
const PROGRESS_EVERY = 500;

/** Fills in the defaults of a history's options. */
export function historyOptions(given: Partial<HistoryOptions>, endsAt: number): HistoryOptions {
  const {
    seed = DEFAULT_SEED,
    people = DEFAULT_PEOPLE,
    developers = DEFAULT_DEVELOPERS,
    years = DEFAULT_YEARS,
  } = given;
  return {
    seed,
    people,
    developers,
    years,
    messages: given.messages ?? people * MESSAGES_OF_EACH,
    endsAt: given.endsAt ?? endsAt,
  };
}

/**
 * Creates the accounts of a population, and plays its history. Afterwards, the time of the server is the end of the
 * history.
 */
export async function createPopulation(options: PopulationOptions): Promise<Population> {
  const { server, time, onProgress = () => {} } = options;
  const wanted = historyOptions(options, time.now());
  const history = planHistory(wanted);
  moveTo(time, history.startsAt);
  const mids = await createAccounts(server, history);
  const world: World = {
    ...history,
    seed: wanted.seed,
    photo: photoDrawer(wanted.seed),
    mids,
    chatMids: new Map(),
    messageIds: new Map(),
  };
  const hands = createHands(options, history, mids);
  try {
    const act = async (deed: Deed) => {
      await perform(world, await hands.of(deed.by), deed).catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new Error(`the population was not made, because ${JSON.stringify(deed)} failed: ${reason}`, { cause });
      });
    };
    let done = 0;
    let told = 0;
    onProgress(0, history.deeds.length);
    for (const deeds of together(history.deeds)) {
      moveTo(time, itemAt(deeds, 0).at);
      await Promise.all(deeds.map(act));
      done += deeds.length;
      if (done < told + PROGRESS_EVERY) continue;
      told = done;
      onProgress(done, history.deeds.length);
    }
    onProgress(done, done);
    moveTo(time, wanted.endsAt);
  } finally {
    await hands.close();
  }
  return {
    seed: wanted.seed,
    people: history.people.map((person) => ({ ...person, mid: itemAt(mids, person.number) })),
    chats: history.chats.map((chat) => ({ ...chat, mid: world.chatMids.get(chat.number) })),
    messages: world.messageIds.size,
  };
}

/** Deeds whose order and exact time nobody can see afterwards. */
const QUIET: readonly Deed['do'][] = ['arrive', 'befriend', 'favour', 'mute', 'block', 'read', 'react'];

/**
 * Returns the deeds in their order, in groups. Quiet deeds that follow each other form one group, because that is
 * faster.
 */
function together(deeds: readonly Deed[]): Deed[][] {
  const found: Deed[][] = [];
  let quiet: Deed[] | undefined;
  for (const deed of deeds) {
    if (QUIET.includes(deed.do) && quiet) quiet.push(deed);
    else {
      found.push([deed]);
      quiet = QUIET.includes(deed.do) ? found.at(-1) : undefined;
    }
  }
  return found;
}

/** Moves the time forward to `to`. Does nothing if `to` is not later than the present time. */
const moveTo = (time: MovableTime, to: number): void => time.move(Math.max(0, to - time.now()));

async function createAccounts({ slices }: RunningServer, { people }: History): Promise<string[]> {
  const mids: string[] = [];
  for (const { userid, password, name, language } of people) {
    const { regionCode } = language;
    mids.push((await slices.accounts.create({ userid, password, displayName: name, regionCode })).mid);
  }
  return mids;
}

interface Opened {
  readonly hand: Hand;
  sessionId: number;
  openedAt: number;
}

/** Opens the client of each person when it is first needed. */
function createHands(
  { server, time, buildToken, brand }: PopulationOptions,
  { people }: History,
  mids: readonly string[],
) {
  const gateway: Gateway = { url: server.url, buildToken: buildToken ?? 'sealpost-dev', brand: brand ?? 'Svc' };
  const opened = new Map<number, Promise<Opened>>();

  async function openSession({ number, userid }: Person) {
    const mid = itemAt(mids, number);
    const account = await server.slices.accounts.show(mid);
    if (!account) throw new Error(`the account ${userid} is gone`);
    const device = { systemName: 'population', modelName: '', clientType: 'population', remoteAddress: '127.0.0.1' };
    const session = { accountId: account.id, mid, ...device };
    const made = await server.store.transact((tx) => server.slices.sessions.open(tx, session));
    return { ...made, accountId: account.id, mid };
  }

  async function open(person: Person): Promise<Opened> {
    const { sessionId, tokens, accountId, mid } = await openSession(person);
    const began = time.now();
    const { monotonic } = systemPorts.clock;
    const hand = handOf(person, gateway, {
      clock: { now: () => time.now(), monotonic },
      // The SDK remembers the keys of others for hours, and conversations are days apart. With a clock that stands
      // still, it does not ask for the same keys again. If keys have changed, the server refuses the message.
      sealingClock: { now: () => began, monotonic },
      random: seededRandom(`population ports of ${person.userid}`),
      through: (rpc) =>
        withDirectCalls(rpc, server.slices.handlers, () => ({ accountId, mid, sessionId: self.sessionId })),
    });
    const self: Opened = { hand, sessionId, openedAt: time.now() };
    await hand.rpc.resume({ mid, tokens });
    return self;
  }

  async function renew(self: Opened): Promise<Opened> {
    if (time.now() - self.openedAt < SESSION) return self;
    const { sessionId, tokens, mid } = await openSession(self.hand.person);
    await self.hand.rpc.logout();
    await self.hand.rpc.resume({ mid, tokens });
    Object.assign(self, { sessionId, openedAt: time.now() });
    return self;
  }

  return {
    async of(number: number): Promise<Hand> {
      const known = opened.get(number) ?? open(itemAt(people, number));
      // Two deeds of a person may come at once, and only one of them may renew the session.
      const renewed = known.then(renew);
      opened.set(number, renewed);
      return (await renewed).hand;
    },
    async close(): Promise<void> {
      for (const { hand } of await Promise.all(opened.values())) {
        await hand.rpc.logout();
        hand.sealing?.close();
        hand.rpc.close();
      }
    },
  };
}
