// The environment of a scenario: a separate server, the client under test, and people who write to the client.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallRecord, DevAccount, FaultRule } from '@sealpost/contract/workbench';
import { systemPorts } from '@sealpost/sdk';
import type { TestServer } from '../test-server.ts';
import { type Send, sendOf } from './calls.ts';
import type { ClientEnvironment, ClientUnderTest, RunningClient } from './client.ts';
import { createFriend, type Friend, OWN_TAG } from './friend.ts';
import { Deviation, NotReached } from './verdict.ts';

/** The user id of the account of the client under test. */
export const CLIENT = 'client';
export const PEOPLE = ['ann', 'ben', 'cleo'] as const;
export type PersonName = (typeof PEOPLE)[number];

const ECHO = 'answer each text message with "echo: " and the text, in the same chat';
const FOLLOW =
  'log in with SEALPOST_USERID and SEALPOST_PASSWORD, and open the operation stream (GET /api/operation/receive)';
/** Milliseconds that the client has to answer a command. Afterwards, the run continues without an answer. */
const ANSWER_MS = 4_000;
const LOOK_AGAIN_MS = 15;
/**
 * Milliseconds for which a wait continues after the client has ended, because its last calls may not be recorded yet.
 */
const AFTER_END_MS = 250;

export interface StageOptions {
  readonly server: TestServer;
  readonly client: ClientUnderTest;
  /** Milliseconds that the run waits for each step that the client should do. */
  readonly patienceMs: number;
}

/** A function that looks for something. Returns it, or undefined if it is not there yet. */
export type Look<T> = () => T | undefined | Promise<T | undefined>;

export class Stage {
  readonly server: TestServer;
  readonly account: DevAccount;
  readonly #client: ClientUnderTest;
  readonly #patienceMs: number;
  readonly #stateDir: string;
  readonly #people = new Map<PersonName, Promise<Friend>>();
  #running: RunningClient | undefined;
  #ended: string | undefined;
  #output = '';
  /** True once the client has answered a text. */
  #talked = false;

  private constructor({ server, client, patienceMs }: StageOptions, stateDir: string) {
    const account = server.accounts.find(({ userid }) => userid === CLIENT);
    if (!account) throw new Error(`The server has no account ${CLIENT}. Give it to startTestServer.`);
    this.server = server;
    this.account = account;
    this.#client = client;
    this.#patienceMs = patienceMs;
    this.#stateDir = stateDir;
  }

  static async open(options: StageOptions): Promise<Stage> {
    return new Stage(options, await mkdtemp(join(tmpdir(), 'sealpost-grades-')));
  }

  /** The way in which the client ended, such as an exit code; undefined while it runs. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** The last lines that the client wrote. */
  get output(): string {
    return this.#running?.output?.() ?? this.#output;
  }

  /** Starts the client, and waits until it opens the operation stream. */
  async start(changes?: Partial<ClientEnvironment>): Promise<void> {
    const before = this.mark();
    await this.launch(changes);
    await this.reached(FOLLOW, () => this.calls('operationReceive', before)[0]);
  }

  /** Starts the client, and waits until it has answered a text of Ann. Returns Ann. */
  async talking(): Promise<Friend> {
    const ann = await this.person('ann');
    await this.start();
    await this.echoes(ann, 'hello');
    return ann;
  }

  /** Starts the client without waiting for anything that it does. */
  async launch(changes: Partial<ClientEnvironment> = {}): Promise<void> {
    const running = await this.#client.start({
      SEALPOST_URL: this.server.url,
      SEALPOST_USERID: CLIENT,
      SEALPOST_PASSWORD: this.account.password ?? '',
      SEALPOST_BUILD_TOKEN: this.server.buildToken,
      SEALPOST_BRAND: this.server.brand,
      SEALPOST_STATE_DIR: this.#stateDir,
      ...changes,
    });
    this.#running = running;
    this.#ended = undefined;
    void running.ended.then((how) => {
      if (this.#running === running) this.#ended = how;
    });
  }

  /** Stops the client. */
  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    await running.stop();
    this.#output = running.output?.() ?? '';
    this.#ended ??= 'stopped';
    this.#running = undefined;
  }

  /** Stops the client, and starts it again with the same folder. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  person(name: PersonName): Promise<Friend> {
    const known = this.#people.get(name) ?? createFriend(this.server, name, this.account);
    this.#people.set(name, known);
    return known;
  }

  /** Returns the id of the newest call that the server received; 0 if there is none. */
  mark(): number {
    return this.server.requests().at(-1)?.id ?? 0;
  }

  /** Returns the calls of the client to an endpoint, the oldest first; without `method`, all its calls. */
  calls(method?: string, after?: number): CallRecord[] {
    const filter = { ...(method !== undefined && { method }), ...(after !== undefined && { after }) };
    return this.server.requests(filter).filter(({ tag }) => tag !== OWN_TAG);
  }

  /** Returns the messages that the client tried to send, the oldest first; with a text, only those that begin with it. */
  sends(text?: string, after?: number): Send[] {
    const sends = this.calls('sendMessage', after).map(sendOf);
    return text === undefined ? sends : sends.filter((send) => send.text?.startsWith(text));
  }

  /** Adds a fault to calls of a method by the client's account. */
  fault(method: string, rule: Omit<FaultRule, 'match'>): ReturnType<TestServer['fault']> {
    return this.server.fault({ ...rule, match: { method, account: CLIENT } });
  }

  /**
   * Adds a fault to calls of a method by anybody. Needed for calls that name no account: those before a login, and
   * those to object storage.
   */
  faultOfAnybody(method: string, rule: Omit<FaultRule, 'match'>): ReturnType<TestServer['fault']> {
    return this.server.fault({ ...rule, match: { method } });
  }

  /**
   * Calls `look` until it returns something, and returns this. Returns undefined if it takes too long, or shortly after
   * the client has ended.
   */
  async when<T>(look: Look<T>, patienceMs = this.#patienceMs): Promise<T | undefined> {
    const { clock, timers } = systemPorts;
    let deadline = clock.monotonic() + patienceMs;
    let over = false;
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      if (this.#ended !== undefined && !over) {
        over = true;
        deadline = Math.min(deadline, clock.monotonic() + AFTER_END_MS);
      }
      if (clock.monotonic() > deadline) return undefined;
      await new Promise<void>((resolve) => timers.after(LOOK_AGAIN_MS, resolve));
    }
  }

  /**
   * Waits for something that must happen before the scenario can give a verdict.
   * @throws NotReached if it does not happen
   */
  async reached<T>(reach: string, look: Look<T>, patienceMs?: number): Promise<T> {
    const found = await this.when(look, patienceMs);
    if (found === undefined) throw new NotReached(reach, this.#instead());
    return found;
  }

  /**
   * Waits for something that a correct client does.
   * @throws Deviation if it does not happen
   */
  async expected<T>(expected: string, look: Look<T>, seen: () => string | Promise<string>): Promise<T> {
    const found = await this.when(look);
    if (found !== undefined) return found;
    throw new Deviation(
      expected,
      `${await seen()}${this.#ended === undefined ? '' : `; the client ended: ${this.#ended}`}`,
    );
  }

  /**
   * Sends a text to the client, and waits for its echo. If the client has never echoed a text, the scenario is not
   * reached. If the client echoed a text before, a missing echo is a deviation.
   */
  async echoes(friend: Friend, text: string, to?: string): Promise<void> {
    await friend.say(text, to);
    if (this.#talked) return this.hears(friend, text, 'as to the texts before', to);
    await this.reached(ECHO, async () => has(await friend.heard(to), `echo: ${text}`));
    this.#talked = true;
  }

  /**
   * Sends the client a command, and waits for any answer, but only for a short time. If the client echoes the command
   * like any other text, the scenario is not reached.
   */
  async asks(friend: Friend, text: string, reach: string): Promise<void> {
    const before = (await friend.heard()).length;
    await friend.say(text);
    const answer = await this.when(async () => (await friend.heard())[before], ANSWER_MS);
    if (answer === `echo: ${text}`) throw new NotReached(reach, `the client answered ${JSON.stringify(answer)}`);
  }

  /**
   * Sends the client a command, and waits for an answer that begins with `word` and a colon. Without such an answer,
   * the scenario is not reached. Returns the text after the colon.
   */
  async command(friend: Friend, text: string, word: string, patienceMs = this.#patienceMs * 2): Promise<string> {
    const reach = `answer the text ${JSON.stringify(text)} with "${word}: …", see the commands in docs/client-grades.md`;
    const begin = `${word}: `;
    const before = (await friend.heard()).length;
    await friend.say(text);
    const answer = await this.when(async () => {
      const news = (await friend.heard()).slice(before);
      // A client that does not know the command echoes it like any other text.
      return news.find((one) => one.startsWith(begin) || one === `echo: ${text}`);
    }, patienceMs);
    if (answer === undefined) throw new NotReached(reach, this.#instead());
    if (!answer.startsWith(begin)) throw new NotReached(reach, `the client answered ${JSON.stringify(answer)}`);
    return answer.slice(begin.length);
  }

  /**
   * Waits for the echo of a text that was sent before.
   * @throws Deviation if the echo does not come
   */
  async hears(friend: Friend, text: string, why: string, chatMid?: string): Promise<void> {
    const wanted = `echo: ${text}`;
    await this.expected(
      `the answer "${wanted}" ${why}`,
      async () => has(await friend.heard(chatMid), wanted),
      async () => `the answers ${JSON.stringify(await friend.heard(chatMid))}`,
    );
  }

  /** Lets time pass for the client, so that a wrong client has time to do what it must not do. */
  async pass(ms: number): Promise<void> {
    await (this.#running?.pass?.(ms) ?? this.watch(ms));
  }

  /** Waits in real time, even if the client's time can be moved. */
  watch(ms: number): Promise<void> {
    return new Promise((resolve) => void systemPorts.timers.after(ms, resolve));
  }

  async close(): Promise<void> {
    await this.stop();
    for (const person of this.#people.values()) (await person).close();
    // Retries, because a stopped client may still be writing a file.
    await rm(this.#stateDir, { recursive: true, force: true, maxRetries: 10 });
  }

  #instead(): string {
    const last = this.calls().at(-1);
    const did = last ? `its last call was ${last.verb} ${last.path.split('?')[0]}` : 'it called nothing';
    return this.#ended === undefined ? did : `the client ended with ${this.#ended}; ${did}`;
  }
}

const has = (texts: readonly string[], text: string): true | undefined => (texts.includes(text) ? true : undefined);
