// The clients of a crash test. They behave as real clients do: they repeat calls under the same reqSeq, resume from the
// last revision, and sometimes give up. They record all requests and answers.

import type { Random } from '@sealpost/dev-env/workload/random';
import type { KillableServer } from './killable-server.ts';
import type { HeadReading, ReadMark, Send, Stream } from './model.ts';
import type { Person } from './server-with-crash-points.ts';
import { call, readStream, Unknown } from './wire.ts';

/**
 * After one in GIVE_UP broken connections, the client gives up its send. After one in REPEAT answered sends, the client
 * repeats the send.
 */
const GIVE_UP = 10;
const REPEAT = 20;
/** What a client does in percent of its turns: MARK marks messages as read, ASK asks for its last revision. */
const MARK = 10;
const ASK = 5;

export interface Recorded {
  readonly sends: Send[];
  readonly streams: Stream[];
  readonly headReadings: HeadReading[];
  readonly marks: ReadMark[];
}

export interface Clients {
  readonly recorded: Recorded;
  /** Resolves when `count` more sends have been answered. */
  answered(count: number): Promise<void>;
  /** Returns the number of sends that were answered although an earlier attempt was not. */
  retried(): number;
  /**
   * Ends the load. Resolves when the last call and the last stream have ended. They end only while the server is up.
   */
  stop(): Promise<void>;
}

const RECEIVE_MESSAGE = 26;
/**
 * Starts the clients.
 * @param random decides what a client does next; the order of simultaneous events stays random
 */
export function startClients(server: Pick<KillableServer, 'url'>, people: readonly Person[], random: Random): Clients {
  const recorded: Recorded = { sends: [], streams: [], headReadings: [], marks: [] };
  const ending = new AbortController();
  let tick = 0;
  let texts = 0;
  // The clients count answers and broken connections, so that each run gives up some sends and repeats others. With
  // random draws, a run could do neither.
  let answers = 0;
  let breaks = 0;
  let retried = 0;
  let waiting: { left: number; resolve: () => void } | undefined;

  function countAnswer(): void {
    if (!waiting) return;
    waiting.left -= 1;
    if (waiting.left <= 0) waiting.resolve();
  }

  /** Makes a call; returns undefined if its outcome is unknown. */
  async function attempt<T>(person: Person, method: string, args: readonly unknown[]): Promise<T | undefined> {
    try {
      return await call<T>(await server.url(), person, method, args);
    } catch (error) {
      if (error instanceof Unknown) return undefined;
      throw error;
    }
  }

  async function send(sender: Person, recipient: Person, reqSeq: number): Promise<void> {
    const text = `text ${++texts}`;
    const record: Send = { sender: sender.mid, recipient: recipient.mid, reqSeq, text, begun: ++tick, answers: [] };
    recorded.sends.push(record);
    const args = [reqSeq, { to: recipient.mid, text, contentType: 0 }];
    for (let broken = false; ; ) {
      const message = await attempt<{ id: string }>(sender, 'sendMessage', args);
      if (message) {
        if (broken) retried += 1;
        broken = false;
        record.answers.push({ tick: ++tick, messageId: message.id });
        countAnswer();
      } else broken = true;
      const again = message ? ++answers % REPEAT === 0 : ++breaks % GIVE_UP !== 0;
      if (!again) return;
    }
  }

  async function mark(reader: Person, last: Map<string, string>, reqSeq: number): Promise<void> {
    if (last.size === 0) return;
    const seen = random.pick([...last]);
    const [peer, messageId] = seen;
    const answer = await attempt<unknown>(reader, 'sendChatChecked', [reqSeq, peer, messageId]);
    recorded.marks.push({ reader: reader.mid, peer, messageId, acknowledged: answer !== undefined });
  }

  async function client(person: Person): Promise<void> {
    let seen = 0;
    let reqSeq = 1;
    const lastFrom = new Map<string, string>();

    async function listen(): Promise<void> {
      while (!ending.signal.aborted) {
        const url = await server.url();
        const stream: Stream = { account: person.mid, cursor: seen, deliveries: [] };
        recorded.streams.push(stream);
        await readStream(url, person, seen, ending.signal, (operation, id) => {
          const { message } = operation;
          const revision = Number(operation.revision);
          stream.deliveries.push({
            revision,
            id,
            type: operation.type,
            messageId: message?.id,
            text: message?.text,
            content: JSON.stringify(operation),
          });
          seen = revision;
          if (message && operation.type === RECEIVE_MESSAGE) lastFrom.set(message.from, message.id);
        });
      }
    }

    async function act(): Promise<void> {
      const others = people.filter((other) => other !== person);
      while (!ending.signal.aborted) {
        const chance = random.below(100);
        reqSeq += 1;
        if (chance < MARK) await mark(person, lastFrom, reqSeq);
        else if (chance < MARK + ASK) {
          const seenBefore = seen;
          const answer = await attempt<string>(person, 'getLastOpRevision', []);
          if (answer) recorded.headReadings.push({ account: person.mid, seenBefore, answered: Number(answer) });
        } else await send(person, random.pick(others), reqSeq);
      }
    }

    await Promise.all([listen(), act()]);
  }

  const running = Promise.all(people.map(client));
  running.catch(() => {});
  return {
    recorded,
    answered(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting = { left: count, resolve };
      // If a client fails, this wait ends with the client's error, and the test fails.
      return Promise.race([promise, running.then(() => {})]);
    },
    retried: () => retried,
    async stop() {
      ending.abort();
      await running;
    },
  };
}
