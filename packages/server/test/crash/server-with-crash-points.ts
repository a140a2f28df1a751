// A real server in a process that a test can kill, from outside or at a named crash point. It loads its code first and
// opens its store on command, so that the next process can wait while the present one runs.
import { flushCompileCache } from 'node:module';
import type { CrashPointName } from '../../src/platform/kernel/ports.ts';
import { loadConfig } from '../../src/start/config/config.ts';
import { createServer, type RunningServer } from '../../src/start/server.ts';

export interface Person {
  readonly accountId: number;
  readonly mid: string;
  readonly accessToken: string;
}

export type Order =
  | { readonly kind: 'open'; readonly flags: Readonly<Record<string, string>> }
  | { readonly kind: 'people'; readonly count: number }
  | { readonly kind: 'stop' }
  | { readonly kind: 'arm'; readonly point: CrashPointName; readonly hit: number };

export type Report =
  | { readonly kind: 'standing-by' }
  | { readonly kind: 'open'; readonly url: string; readonly port: number }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'people'; readonly people: readonly Person[] }
  | { readonly kind: 'armed' };

let armed: { readonly point: CrashPointName; left: number } | undefined;
let server: RunningServer | undefined;

function crashPoint(name: CrashPointName): void {
  if (armed?.point !== name) return;
  armed.left -= 1;
  if (armed.left === 0) process.kill(process.pid, 'SIGKILL');
}

async function makePerson(running: RunningServer, number: number): Promise<Person> {
  const { accounts, sessions } = running.slices;
  const userid = `crash-${number}`;
  const { id, mid } = await accounts.create({ userid, password: `password of ${userid}`, displayName: userid });
  const { tokens } = await running.store.transact((tx) =>
    sessions.open(tx, {
      accountId: id,
      mid,
      systemName: 'test',
      modelName: '',
      clientType: 'test',
      remoteAddress: '127.0.0.1',
    }),
  );
  return { accountId: id, mid, accessToken: tokens.accessToken };
}

async function carryOut(order: Order): Promise<Report> {
  if (order.kind === 'open') {
    let port = 0;
    server = await createServer(loadConfig('serve', { flags: order.flags, env: {} }), {
      ports: { crashPoint },
      // As the command does, the process ends when nobody knows what is on the disk.
      onFatal: () => process.exit(1),
      onListening: (taken) => {
        port = taken;
      },
    });
    return { kind: 'open', url: server.url, port };
  }
  if (order.kind === 'stop') {
    await server?.close();
    return { kind: 'stopped' };
  }
  if (order.kind === 'arm') {
    armed = { point: order.point, left: order.hit };
    return { kind: 'armed' };
  }
  const people: Person[] = [];
  for (let i = 0; i < order.count; i++) people.push(await makePerson(server as RunningServer, i));
  return { kind: 'people', people };
}

const report = (message: Report): void => void process.send?.(message);
const reportAndEnd = (message: Report): void => {
  report(message);
  if (message.kind === 'stopped') process.disconnect();
};
process.on('message', (order: Order) => {
  carryOut(order).then(reportAndEnd, (error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit());
// The compile cache is written now, because a killed process cannot write it at its exit.
flushCompileCache();
report({ kind: 'standing-by' });
