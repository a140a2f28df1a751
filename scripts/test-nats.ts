// Finds NATS for a test run. Takes the server that the environment names, otherwise one that runs on the machine. If
// there is neither, starts one.
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { howToInstall } from './debian-packages.ts';
import { freePort } from './test-postgres.ts';
import type { Service } from './test-services.ts';

const LOCAL_PORT = 4222;
const HOST = '127.0.0.1';
const ATTEMPTS = 50;
const PAUSE_MS = 100;

export async function findNats(): Promise<Service> {
  const named = process.env.SEALPOST_TEST_NATS_URL;
  if (named) return { url: named, from: 'SEALPOST_TEST_NATS_URL', stop: async () => {} };
  if (await answers(LOCAL_PORT)) return { url: urlOf(LOCAL_PORT), from: `${HOST}:${LOCAL_PORT}`, stop: async () => {} };
  return startNats();
}

const urlOf = (port: number): string => `nats://${HOST}:${port}`;

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, HOST, () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

async function startNats(): Promise<Service> {
  const port = await freePort();
  const server = spawn('nats-server', ['-a', HOST, '-p', String(port)], { stdio: 'ignore' });
  const failed = new Promise<never>((_, reject) => {
    server.once('error', () =>
      reject(new Error(`no server at ${HOST}:${LOCAL_PORT}, and no nats-server to start; ${howToInstall('nats')}`)),
    );
  });
  await Promise.race([failed, untilAnswering(port)]);
  return { url: urlOf(port), from: `nats-server of this run, port ${port}`, stop: async () => void server.kill() };
}

async function untilAnswering(port: number): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await answers(port)) return;
    await wait(PAUSE_MS);
  }
  throw new Error(`nats-server did not answer on port ${port}`);
}
