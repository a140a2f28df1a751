import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { databases } from '@sealpost/dev-env/harness';
import { callCrashPoints } from '../../src/platform/kernel/ports.ts';
import { chatsOf, replayOf, tablesOf } from './final-state.ts';
import { type KillableServer, startKillableServer } from './killable-server.ts';
import { type Send, violations } from './model.ts';
import type { Person } from './server-with-crash-points.ts';
import { attached } from './strace.ts';
import { call, Unknown } from './wire.ts';

/** Each crash point kills the server at its first, second and third hit in a series of sends. */
const HITS = 3;
/** System calls that one send causes. A test kills the server before each of them. */
const SYSTEM_CALLS = ['pwrite64', 'fsync', 'fdatasync', 'writev', 'write'] as const;
const MOST_SYSTEM_CALLS = 40;
const TRACER_PATIENCE_MS = 500;

/** Sends messages one by one until the server is killed, and repeats the last send after the restart. */
class Scene {
  readonly sends: Send[] = [];
  #tick = 0;
  readonly server: KillableServer;
  readonly people: readonly [Person, Person];

  constructor(server: KillableServer, people: readonly [Person, Person]) {
    this.server = server;
    this.people = people;
  }

  begin(): Send {
    const [sender, recipient] = this.people;
    const number = this.sends.length + 2;
    const send = {
      sender: sender.mid,
      recipient: recipient.mid,
      reqSeq: number,
      text: `text ${number}`,
      begun: ++this.#tick,
      answers: [],
    };
    this.sends.push(send);
    return send;
  }

  /** Sends a message; returns false if the connection broke. */
  async attempt(send: Send): Promise<boolean> {
    const args = [send.reqSeq, { to: send.recipient, text: send.text, contentType: 0 }];
    try {
      const message = await call<{ id: string }>(await this.server.url(), this.people[0], 'sendMessage', args);
      send.answers.push({ tick: ++this.#tick, messageId: message.id });
      return true;
    } catch (error) {
      if (error instanceof Unknown) return false;
      throw error;
    }
  }

  /**
   * Asserts that each send was stored completely or not at all. Then repeats the interrupted send and asserts that it
   * is stored once.
   */
  async judge(): Promise<void> {
    assert.deepEqual(await this.#violations(), []);
    const last = this.sends.at(-1) as Send;
    assert.ok(await this.attempt(last), 'the repeated send was not answered');
    assert.deepEqual(await this.#violations(), []);
  }

  async #violations(): Promise<string[]> {
    const { server, people, sends } = this;
    const [one, two] = people;
    return violations({
      sends,
      streams: [],
      headReadings: [],
      marks: [],
      replays: [await replayOf(server, one), await replayOf(server, two)],
      chats: [...(await chatsOf(server, one, [two])), ...(await chatsOf(server, two, [one]))],
      tables: await tablesOf(server),
    });
  }
}

for (const kind of databases) {
  describe(`a crash during sendMessage on ${kind}`, () => {
    let scene: Scene;
    before(async () => {
      const server = await startKillableServer(kind);
      const [one, two] = await server.people(2);
      scene = new Scene(server, [one as Person, two as Person]);
    });
    after(() => scene.server.close());

    for (const point of callCrashPoints) {
      for (let hit = 1; hit <= HITS; hit++) {
        test(`leaves all or nothing when it comes at hit ${hit} of ${point}`, async () => {
          await scene.server.arm(point, hit);
          let reached = false;
          for (let sends = 0; sends < HITS && !reached; sends++) reached = !(await scene.attempt(scene.begin()));
          assert.ok(reached, `${point} was never passed ${hit} times`);
          await scene.server.gone();
          await scene.server.startAgain();
          await scene.judge();
        });
      }
    }
  });
}

const strace = process.env.SEALPOST_TEST_STRACE;

describe('a crash at a system call of sendMessage on sqlite', { skip: strace ? false : 'strace is not here' }, () => {
  let scene: Scene;
  before(async () => {
    const server = await startKillableServer('sqlite');
    const [one, two] = await server.people(2);
    scene = new Scene(server, [one as Person, two as Person]);
    // The first send also creates the chat and opens files. Only the second send shows the usual work.
    await scene.attempt(scene.begin());
  });
  after(() => scene.server.close());

  let syncs = 0;
  let answers = 0;
  for (const name of SYSTEM_CALLS) {
    test(`leaves all or nothing before each ${name}`, async (t) => {
      let reached = 0;
      for (let nth = 1; nth <= MOST_SYSTEM_CALLS; nth++) {
        // The connection is opened before strace starts, so that the trace contains only the send.
        await scene.attempt(scene.begin());
        const tracer = await traceAndKill(scene.server.pid, name, nth);
        const answered = await scene.attempt(scene.begin());
        await endTrace(tracer);
        if (answered) break;
        reached += 1;
        await scene.server.gone();
        await scene.server.startAgain();
        await scene.judge();
      }
      t.diagnostic(`${reached} calls of ${name}`);
      if (name === 'pwrite64') assert.ok(reached > 3, 'a send writes more pages than that');
      if (name === 'fsync' || name === 'fdatasync') {
        assert.ok(reached <= 2, 'a send syncs once');
        syncs += reached;
      }
      if (name === 'write' || name === 'writev') answers += reached;
      assert.ok(reached < MOST_SYSTEM_CALLS, 'there were more calls than were tried');
    });
  }

  // A killed process loses nothing that it wrote, so a kill cannot show whether a write was synced. Only a sync
  // protects against a loss of power, so the test asserts that a sync takes place.
  test('is possible before a sync, so a send is synced before it is answered', () => assert.ok(syncs > 0));
  test('is possible before the answer is written, with one of two calls', () => assert.ok(answers > 0));
});

async function traceAndKill(pid: number, name: string, nth: number) {
  const inject = `inject=${name}:signal=KILL:when=${nth}`;
  const tracer = spawn(strace as string, ['-f', '-p', String(pid), '-e', `trace=${name}`, '-e', inject], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await attached(tracer.stderr);
  return tracer;
}

/** Ends strace, which may wait for ever for threads of a killed process. The killed process cannot end meanwhile. */
async function endTrace(tracer: ChildProcess): Promise<void> {
  const ended = tracer.exitCode !== null || tracer.signalCode !== null ? undefined : once(tracer, 'exit');
  if (!ended) return;
  tracer.kill('SIGINT');
  const late = setTimeout(() => tracer.kill('SIGKILL'), TRACER_PATIENCE_MS);
  await ended;
  clearTimeout(late);
}
