import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { brandHeader, contentTypes } from '@sealpost/contract';
import { places } from '@sealpost/dev-env/places';
import { makeBucket, type TestBucket } from '@sealpost/dev-env/s3-server';
import { uploadCrashPoints } from '../../src/platform/kernel/ports.ts';
import { type KillableServer, startKillableServer } from './killable-server.ts';
import type { Person } from './server-with-crash-points.ts';
import { attached } from './strace.ts';
import { call } from './wire.ts';

const MIB = 1024 * 1024;
/** Bytes after which an upload records its progress. */
const PART = 64 * MIB;
const bytes = Buffer.alloc(70 * MIB, randomBytes(MIB));
const sha256 = (of: Buffer): string => createHash('sha256').update(of).digest('hex');
const PATIENCE_MS = 30_000;

for (const { database: kind, objects: place } of places) {
  describe(`a crash during an upload on ${kind} and ${place}`, () => {
    let server: KillableServer;
    let bucket: TestBucket | undefined;
    let person: Person;
    let reqSeq = 1;
    before(async () => {
      bucket = place === 's3' ? await makeBucket() : undefined;
      server = await startKillableServer(kind, bucket?.flags);
      [person] = (await server.people(1)) as [Person];
    });
    after(async () => {
      await server.close();
      bucket?.close();
    });

    const send = async (verb: 'GET' | 'POST', path: string, body?: Buffer, range?: string) => {
      const headers = { [brandHeader('Svc', 'access')]: person.accessToken, ...(range && { Range: range }) };
      return fetch((await server.url()) + path, { method: verb, headers, ...(body && { body: body as BodyInit }) });
    };
    async function newPath(): Promise<string> {
      const message = { to: person.mid, contentType: contentTypes.FILE };
      const { id } = await call<{ id: string }>(await server.url(), person, 'sendMessage', [++reqSeq, message]);
      return `/r/talk/m/${id}`;
    }
    const info = async (path: string) =>
      (await (await send('GET', `${path}/info.obs`)).json()) as { status: string; offset: number };
    /**
     * Resumes an upload as clients do. Tries again while another server still holds the object (409). A refusal may also
     * break the connection before the body is sent.
     */
    async function resume(path: string): Promise<Response> {
      for (const deadline = Date.now() + PATIENCE_MS; ; await pause(500)) {
        const { offset } = await info(path);
        const range = `bytes ${offset}-${bytes.length - 1}/${bytes.length}`;
        const answer = await send('POST', path, bytes.subarray(offset), range).catch((error: unknown) => {
          if (Date.now() > deadline) throw error;
        });
        if (answer && (answer.status !== 409 || Date.now() > deadline)) return answer;
      }
    }

    // On a shared database, the object of a dead server stays reserved for a while. Waiting for it takes long, so only
    // one crash point is tested there.
    for (const point of kind === 'sqlite' ? uploadCrashPoints : (['upload.noted'] as const)) {
      test(`at ${point} leaves an object that is whole, or none that can be read and the rest is enough`, async () => {
        const path = await newPath();
        await server.arm(point, 1);
        await assert.rejects(send('POST', path, bytes));
        await server.gone();
        await server.startAgain();
        const { status, offset } = await info(path);
        if (point === 'upload.recorded') {
          assert.deepEqual([status, offset], ['exist', bytes.length]);
        } else {
          assert.notEqual(status, 'exist');
          // A part ends where a batch of received pieces ends. The last piece of a batch may pass the batch's 1 MiB.
          assert.ok(offset >= PART && offset < PART + 2 * MIB, String(offset));
          assert.equal((await send('GET', path)).status, 202);
          const resumed = await resume(path);
          assert.deepEqual([resumed.status, resumed.headers.get('x-obs-hash')], [201, sha256(bytes)]);
        }
        const found = Buffer.from(await (await send('GET', path)).arrayBuffer());
        assert.equal(sha256(found), sha256(bytes));
      });
    }
  });
}

const strace = process.env.SEALPOST_TEST_STRACE;

describe('the order of an upload on disk', { skip: strace ? false : 'strace is not here' }, () => {
  test('bytes, then the folders that name them, then the row are durable', async () => {
    const server = await startKillableServer('sqlite');
    const [person] = (await server.people(1)) as [Person];
    const url = await server.url();
    const message = { to: person.mid, contentType: contentTypes.FILE };
    const { id } = await call<{ id: string }>(url, person, 'sendMessage', [2, message]);
    const calls = 'trace=fsync,fdatasync,rename,renameat,renameat2';
    const tracer = spawn(strace as string, ['-f', '-y', '-s', '300', '-p', String(server.pid), '-e', calls], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const lines: string[] = [];
    tracer.stderr.setEncoding('utf8').on('data', (text: string) => lines.push(text));
    await attached(tracer.stderr);
    const headers = { [brandHeader('Svc', 'access')]: person.accessToken };
    const answer = await fetch(`${url}/r/talk/m/${id}`, { method: 'POST', headers, body: 'some bytes' });
    assert.equal(answer.status, 201);
    tracer.kill('SIGINT');
    await once(tracer, 'close');
    await server.close();

    const steps = lines.join('').split('\n');
    const find = (form: RegExp, from = 0): number => steps.findIndex((line, i) => i >= from && form.test(line));
    const bytesSynced = find(/fdatasync\(\d+<[^>]*\/unpublished\/[0-9a-f]{32}>/);
    const renamed = find(/rename.*\/unpublished\/[0-9a-f]{32}".*\/published\/[0-9a-f]{2}\/[0-9a-f]{32}"/);
    const folderSynced = find(/fsync\(\d+<[^>]*\/published\/[0-9a-f]{2}>/);
    const rowSynced = find(/f(data)?sync\(\d+<[^>]*sealpost\.db-wal>/, Math.max(folderSynced, 0));
    const order = [bytesSynced, renamed, folderSynced, rowSynced];
    assert.ok(!order.includes(-1), steps.join('\n'));
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    );
  });
});
