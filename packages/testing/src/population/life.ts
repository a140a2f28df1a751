// Simulates what people do after the history: they continue to talk at a human rate and answer developers. Each person
// has a session.
import { type ClientPorts, systemPorts } from '@sealpost/sdk';
import { chanceOf } from './chance.ts';
import { createErrands } from './errands.ts';
import { listen } from './life-answers.ts';
import { goOn, makeGroup, type RunningTalk, type Tools } from './life-talk.ts';
import { friendshipsOf } from './people.ts';
import { say } from './perform.ts';
import { photoDrawer } from './pictures.ts';
import { createResidents, type SettledPerson } from './residents.ts';

export interface LifeOptions {
  readonly url: string;
  readonly buildToken?: string;
  readonly brand?: string;
  readonly population: { readonly seed: number; readonly people: readonly SettledPerson[] };
  /**
   * Messages per minute of all people together, not counting answers to developers. At 0, people only answer
   * developers. Default: 6.
   */
  readonly rate?: number;
  readonly ports?: Partial<ClientPorts>;
  /**
   * Called with each error, such as a refused call or a server that cannot be reached. The people continue afterwards.
   */
  readonly onError?: (error: unknown) => void;
}

export interface Life {
  /** Number of messages that people have sent since the start. */
  readonly sent: number;
  /** Stops everything, and ends all sessions. */
  close(): Promise<void>;
}

const DEFAULT_RATE = 6;
const TAG = 'population';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Probability that people create a group instead of sending a message. */
const NEW_GROUP = 0.01;

export function startLife(options: LifeOptions): Life {
  const { population, rate = DEFAULT_RATE, onError = () => {} } = options;
  const ports = { ...systemPorts, ...options.ports };
  const chance = chanceOf(population.seed, `life from ${ports.clock.now()}`);
  const world = {
    photo: photoDrawer(population.seed),
    mids: population.people.map(({ mid }) => mid),
    people: population.people,
  };
  const errands = createErrands(ports.timers, onError);
  const { begin, later } = errands;
  let sent = 0;

  const residents = createResidents({
    people: population.people,
    gateway: { url: options.url, buildToken: options.buildToken ?? 'sealpost-dev', brand: options.brand ?? 'Svc' },
    ports: { ...ports, fetch: tagged(ports.fetch) },
    onEntered: (person, hand) => begin(() => listen(tools, person, hand, errands.signal)),
  });
  const tools: Tools = {
    chance,
    residents,
    later,
    async speak(person, to, content, replyTo) {
      const { id } = await say(world, await residents.hand(person), to, content, replyTo);
      sent += 1;
      return id;
    },
  };

  const talks: RunningTalk[] = [];
  let speaking = false;
  /**
   * Schedules the next beat, and sends a message or creates a group. Sends nothing if the previous beat is still
   * running because the server is slow.
   */
  async function beat(): Promise<void> {
    next();
    if (speaking) return;
    speaking = true;
    try {
      await (chance.happens(NEW_GROUP) ? makeGroup(tools) : goOn(tools, talks));
    } finally {
      speaking = false;
    }
  }
  const next = (): void => later(-Math.log(1 - chance.fraction()) * (MINUTE / rate), beat);
  begin(() => enterFriendsOfDevelopers(tools, population.seed, errands.signal));
  if (rate > 0) next();

  let closed: Promise<void> | undefined;
  return {
    get sent() {
      return sent;
    },
    close: () => {
      closed ??= errands.close().then(() => residents.close());
      return closed;
    },
  };
}

/** Returns a `fetch` that tags its calls, so that developers can tell them from other calls. */
const tagged =
  (usual: typeof fetch): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('X-Dev-Tag', TAG);
    return usual(input, { ...init, headers });
  };

/** Logs in the friends of developers, so that they answer messages from developers soon. */
async function enterFriendsOfDevelopers({ residents }: Tools, seed: number, signal: AbortSignal): Promise<void> {
  const { people } = residents;
  const friends = friendshipsOf(seed, people).flatMap(([a, b]) =>
    people[a]?.developer ? (people[b] ?? []) : people[b]?.developer ? (people[a] ?? []) : [],
  );
  for (const person of new Set(friends)) {
    if (signal.aborted) return;
    if (!person.developer) await residents.hand(person);
  }
}
