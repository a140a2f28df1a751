// The disk fails once under load: a write or a sync of the database ends with EIO. What the server acknowledged stays,
// it acknowledges nothing more, and its process ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { seed } from '@sealpost/dev-env/chance';
import { repeats, timeFor } from '@sealpost/dev-env/repeats';
import { createRandom } from '@sealpost/dev-env/workload/random';
import { startClients } from './clients.ts';
import { historyOf } from './final-state.ts';
import { startKillableServer } from './killable-server.ts';
import { violations } from './model.ts';
import { attached } from './strace.ts';

const strace = process.env.SEALPOST_TEST_STRACE;
const PEOPLE = 4;
const FAILURES = repeats(3);
/** Sends that are answered before the disk fails, and after the next start. */
const SENDS = 10;
/** The failure comes at one of the first calls after strace is attached. */
const MOST_CALLS = 8;
/** The system calls that fail: those that write the database, and those that sync it. */
const CALLS = ['pwrite64', 'fsync,fdatasync'];

describe('a disk that fails under load', { skip: strace ? false : 'strace is not here' }, () => {
  for (const calls of CALLS) {
    test(`loses and doubles nothing when ${calls} fails ${FAILURES} times`, {
      timeout: timeFor(120_000),
    }, async (t) => {
      const server = await startKillableServer('sqlite');
      try {
        const people = await server.people(PEOPLE);
        const random = createRandom(seed);
        const clients = startClients(server, people, random);
        for (let failures = 0; failures < FAILURES; failures++) {
          await clients.answered(SENDS);
          const when = 1 + random.below(MOST_CALLS);
          const inject = `inject=${calls}:error=EIO:when=${when}`;
          const options = ['-f', '-p', String(server.pid), '-e', `trace=${calls}`, '-e', inject];
          const tracer = spawn(strace ?? '', options, { stdio: ['ignore', 'ignore', 'pipe'] });
          const ended = once(tracer, 'exit');
          await attached(tracer.stderr);
          await server.gone();
          tracer.kill('SIGKILL');
          await ended;
          await server.startAgain();
        }
        await clients.answered(SENDS);
        await clients.stop();
        const history = await historyOf(server, people, clients.recorded);
        const acknowledged = history.sends.filter((send) => send.answers.length > 0).length;
        t.diagnostic(`${history.sends.length} sends, ${acknowledged} acknowledged`);
        assert.ok(acknowledged > FAILURES * SENDS);
        assert.deepEqual(violations(history).slice(0, 10), []);
      } finally {
        await server.close();
      }
    });
  }
});
