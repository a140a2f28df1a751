// Tests the time that the process which reads media may take.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { until } from '@sealpost/dev-env/until';
import { watchedTimers } from '@sealpost/dev-env/watched-timers';
import { createExaminer } from '../../../src/slices/media/examiner.ts';

const START_MS = 60_000;
const JOB_MS = 5_000;
const job = { bytes: Buffer.from('a file'), edges: [] };

const folder = mkdtempSync(join(tmpdir(), 'sealpost-examiner-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Returns an examiner whose process runs this program, and its timers, which only a test fires. */
function examinerOf(name: string, program: string) {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, program);
  const watched = watchedTimers();
  watched.hold(START_MS);
  watched.hold(JOB_MS);
  return { ...watched, examiner: createExaminer(watched.timers, pathToFileURL(path)) };
}

const STAY = "process.on('message', () => {});";

test('a process that starts slowly takes no time from the file, which may come again', async () => {
  const { examiner, count, fire } = examinerOf('slow-start', STAY);
  const result = examiner.examine(job);
  await until(() => count(START_MS) === 1, 'the process was started');
  assert.equal(count(JOB_MS), 0);
  fire(START_MS);
  assert.deepEqual(await result, { ok: false, reason: 'it took longer than 60000 ms', retry: true });
});

test('the time of a file begins when the process is ready', async () => {
  const { examiner, count, fire } = examinerOf('slow-file', `process.send('ready'); ${STAY}`);
  const result = examiner.examine(job);
  await until(() => count(JOB_MS) === 1, 'the process is ready');
  assert.equal(count(START_MS), 0);
  fire(JOB_MS);
  assert.deepEqual(await result, { ok: false, reason: 'it took longer than 5000 ms', retry: true });
});

test('a file that ends the process is refused, and the next file has a new process', async () => {
  const { examiner } = examinerOf(
    'crash',
    `process.send('ready');
     process.on('message', ({ edges }) => (edges.length ? process.exit(1) : process.send({ ok: true })));`,
  );
  assert.deepEqual(await examiner.examine({ ...job, edges: [1] }), { ok: false, reason: 'the process ended' });
  assert.deepEqual(await examiner.examine(job), { ok: true });
  examiner.close();
});

test('only a hundred files wait; others may come again', async () => {
  const { examiner, count, fire } = examinerOf('queue', `process.send('ready'); ${STAY}`);
  const results = Array.from({ length: 100 }, () => examiner.examine(job));
  assert.deepEqual(await examiner.examine(job), { ok: false, reason: 'too many files wait', retry: true });
  await until(() => count(JOB_MS) === 1, 'the process is ready');
  examiner.close();
  fire(JOB_MS);
  assert.equal((await results[0])?.ok, false);
});
