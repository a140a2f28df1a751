// The judge of a simulation. It applies each command to the model of the workload at the moment of its commit. It also
// checks every answer and every event that a client gets.
import type { Operation } from '@sealpost/contract';
import { names } from '../workload/cast.ts';
import type { Command, Outcome } from '../workload/commands.ts';
import { createModel, type Model } from '../workload/model.ts';
import type { Answer, Call } from './link.ts';
import { present } from './present.ts';
import { type Rule, rules } from './rules.ts';

/** The name of the guest in calls. */
export const GUEST = 'guest';
/**
 * Milliseconds after which no gateway serves a session that was ended: five seconds, and the delays of the store and the
 * network.
 */
const ENDED_WITHIN_MS = 5_200;

/** A command that a user gave. Its number is its reqSeq. */
export interface Given {
  readonly number: number;
  readonly command: Command;
  /** The name of the client that took the command. */
  readonly device: string;
  /** Number of commands that were committed when this one was given. */
  readonly since: number;
  /** The number of the command in the model; undefined before its commit. */
  index?: number;
  acknowledged: boolean;
  refusal?: { readonly error: Outcome; readonly until: number };
  /** The first result that the server sent, in the form that repeats must have too. */
  result?: string;
  /** True if the device crashed before it stored the command. */
  doubtful: boolean;
}

export interface Delivered {
  readonly account: number;
  readonly call: number;
  readonly cursor: number | undefined;
  readonly events: { readonly revision: number; readonly content: string }[];
  text: string;
}

export class Judge {
  readonly model: Model = createModel(names);
  readonly given = new Map<number, Given>();
  readonly byText = new Map<string, Given>();
  readonly chatMids = new Map<number, string>();
  readonly messageIds = new Map<number, string>();
  readonly streams = new Map<number, Delivered>();
  readonly violations: string[] = [];
  readonly #clock: { now: () => number };
  readonly #calls = new Map<number, Given>();
  /** The access token for which a refresh token was exchanged, by refresh token. */
  readonly #successors = new Map<string, string>();
  /** The time when the session of the guest was certainly ended. */
  #guestEnded = Number.POSITIVE_INFINITY;
  #lastTime: number | undefined;
  #highest = new Map<number, number>();

  constructor(clock: { now: () => number }) {
    this.#clock = clock;
  }

  get committed(): number {
    return this.model.commands.length;
  }

  violated(rule: Rule, what: string): void {
    this.violations.push(`${rules[rule]}: ${what}`);
  }

  give(number: number, command: Command, device: string): Given {
    const given: Given = { number, command, device, since: this.committed, acknowledged: false, doubtful: false };
    this.given.set(number, given);
    if (command.do === 'send') this.byText.set(command.text, given);
    return given;
  }

  /** Notes for which command a call is made. Returns true if the call resumes a stream. */
  called(call: Call, number: number | undefined): boolean {
    const given = isSend(call) ? this.sendIn(call) : this.given.get(number ?? -1);
    if (given) this.#calls.set(call.id, given);
    return call.path.includes('/operation/receive') && this.#opened(call);
  }

  /** Returns the command whose text a send call has. */
  sendIn({ body }: Call): Given | undefined {
    const text = /"text":"(text-[^"]+)"/.exec(body)?.[1];
    return text === undefined ? undefined : this.byText.get(text);
  }

  /** Called in the order of commits, when a change of a call is durable. */
  commit(call: Call): Given | undefined {
    const given = this.#calls.get(call.id);
    if (!given || given.index !== undefined) return undefined;
    const now = this.#clock.now();
    const wait = now - (this.#lastTime ?? now);
    this.#lastTime = now;
    given.index = this.committed;
    const outcome = this.model.apply({ ...given.command, wait });
    if (outcome !== 'ok')
      this.violated('expected', `the server accepted ${shown(given)}, which the model refuses: ${outcome}`);
    return given;
  }

  /** Called when the session of the guest has ended. */
  endedGuest(): void {
    this.#guestEnded = this.#clock.now();
  }

  /** Checks an answer to a renewal. Returns true if it repeats an earlier one. */
  renewed({ call, status, body }: Answer): boolean {
    if (status !== 200) return false;
    if (isOfGuest(call) && call.at > this.#guestEnded)
      this.violated('sessions', 'a gateway renewed a session that was ended');
    const { refreshToken }: { refreshToken: string } = JSON.parse(call.body);
    const { accessToken }: { accessToken: string } = JSON.parse(body);
    const known = this.#successors.get(refreshToken);
    if (known !== undefined && known !== accessToken)
      this.violated('sessions', `a refresh token of ${call.client.name} has two successors`);
    this.#successors.set(refreshToken, accessToken);
    return known !== undefined;
  }

  /** Checks that no gateway serves a session that was ended. */
  #checkGuest(call: Call, what: string, time: number): void {
    if (isOfGuest(call) && time > this.#guestEnded + ENDED_WITHIN_MS)
      this.violated('sessions', `${what} ${time - this.#guestEnded} ms after the session was ended`);
  }

  /** Called when a gateway sends an answer, which the client may never get. Returns true if it repeats an earlier one. */
  answer({ call, status, body }: Answer): boolean {
    if (status === 200) this.#checkGuest(call, `a gateway accepted ${call.path}`, call.at);
    if (status >= 500) this.violated('no-fault', `${call.path} was answered ${status}: ${body.slice(0, 300)}`);
    if (status === 200) this.#readIds(body);
    const given = this.#calls.get(call.id);
    if (!given || status !== 200) return false;
    const { data }: { data: { id?: string; chat?: { chatMid: string } } | null } = JSON.parse(body);
    if (given.index === undefined) {
      this.violated('acknowledged', `${shown(given)} was acknowledged before its commit`);
      return false;
    }
    const { command, index } = given;
    if (command.do === 'send') this.messageIds.set(index, present(data?.id, 'message id'));
    if (command.do === 'create') this.chatMids.set(index, present(data?.chat, 'chat').chatMid);
    // A repeated send returns the message as it is now, which may have changed. So only the id is compared.
    const result = JSON.stringify(command.do === 'send' ? data?.id : data);
    const repeats = given.result !== undefined;
    if (repeats && given.result !== result)
      this.violated('one-answer', `${shown(given)} was answered with ${given.result} and ${result}`);
    given.result = result;
    return repeats;
  }

  /** Notes the ids of texts, because a client may learn them without an answer to its send call. */
  #readIds(json: string): void {
    if (!json.includes('"text-')) return;
    JSON.parse(json, (_, value) => {
      const index = this.byText.get(value?.text)?.index;
      if (index !== undefined && value.id) this.messageIds.set(index, value.id);
      return value;
    });
  }

  refused(given: Given, error: Outcome): void {
    given.refusal = { error, until: this.committed };
  }

  /** Returns true if the stream begins after news that an earlier stream delivered. */
  #opened(call: Call): boolean {
    const localRev = new URL(call.path, 'http://gateway.test').searchParams.get('localRev');
    const cursor = localRev === null ? undefined : Number(localRev);
    this.streams.set(call.id, { account: call.account, call: call.id, cursor, events: [], text: '' });
    return cursor !== undefined && cursor > 0 && this.highest(call.account) > 0;
  }

  /** Reads the events of a stream as they reach the client. Returns the number of new operations. */
  heard(call: Call, bytes: Uint8Array): number {
    const stream = this.streams.get(call.id);
    if (!stream) return 0;
    const before = stream.events.length;
    stream.text += Buffer.from(bytes).toString('utf8');
    const blocks = stream.text.split('\n\n');
    stream.text = blocks.pop() ?? '';
    for (const block of blocks) this.#event(stream, block);
    if (stream.events.length > before) this.#checkGuest(call, 'a stream brought news', this.#clock.now());
    return stream.events.length - before;
  }

  #event(stream: Delivered, block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const data = fields.get('data') ?? '';
    if (fields.get('event') === 'fullSync')
      this.violated('dense', `account ${stream.account} was told to read everything: ${data}`);
    if (fields.has('event')) return;
    const operation: Operation = JSON.parse(data);
    this.#readIds(data);
    const revision = Number(operation.revision);
    const expected = (stream.events.at(-1)?.revision ?? stream.cursor ?? revision - 1) + 1;
    if (revision !== expected)
      this.violated(
        'dense',
        `a stream of account ${stream.account} from ${stream.cursor} has ${revision} after ${expected - 1}`,
      );
    stream.events.push({ revision, content: data });
    this.#highest.set(stream.account, Math.max(this.#highest.get(stream.account) ?? 0, revision));
  }

  /** Returns the highest revision that any stream of an account delivered. */
  highest(account: number): number {
    return this.#highest.get(account) ?? 0;
  }

  /**
   * Checks that each refusal was right at some moment between the command and its answer. Returns the number of commands
   * that other commits of this time made impossible.
   */
  checkRefusals(): number {
    let races = 0;
    for (const given of this.given.values()) {
      if (!given.refusal || given.index !== undefined) continue;
      const { error, until } = given.refusal;
      const outcomes = new Set<Outcome>();
      for (let at = given.since; at <= until && !outcomes.has(error); at++) {
        outcomes.add(this.#outcomeAt(given.command, at));
        if (at === given.since && outcomes.has('ok')) races += 1;
      }
      if (!outcomes.has(error))
        this.violated(
          'expected',
          `${shown(given)} was refused with ${error}; the model says ${[...outcomes].join(' or ')}`,
        );
    }
    return races;
  }

  #outcomeAt(command: Command, at: number): Outcome {
    const model = createModel(names);
    for (const earlier of this.model.commands.slice(0, at)) model.apply(earlier);
    return model.apply(command);
  }
}

export const isSend = ({ path }: Call): boolean => path.endsWith('/sendMessage');
const isOfGuest = ({ client }: Call): boolean => client.name === GUEST;

export const shown = ({ number, command }: Given): string => `command ${number} ${JSON.stringify(command)}`;
