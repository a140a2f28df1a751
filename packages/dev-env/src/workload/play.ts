// Plays a workload: makes its calls on a real server.
import { createServer as createSocketServer } from 'node:net';
import type { Message } from '@sealpost/contract';
import { createRpcClient, type GatewayError, type RpcClient } from '@sealpost/sdk';
import { createDatabase, type DatabaseKind, startServer, type TestServer } from '../harness.ts';
import { operator } from '../people.ts';
import { type Game, makeCall, type Player } from './calls.ts';
import { nameOf } from './cast.ts';
import type { Command, Outcome, Workload } from './commands.ts';

export interface Answer {
  readonly outcome: Outcome;
  readonly reply: unknown;
}

export interface World extends Omit<Game, 'workload'> {
  readonly server: TestServer;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly answers: Answer[];
  play(command: Command): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * Starts a server with the accounts of a workload. Time passes only by the `wait` of commands. So calls of the same
 * moment get the same time on every server.
 */
export async function startWorld(workload: Workload, database: DatabaseKind): Promise<World> {
  const own = database === 'postgres' ? await createDatabase() : undefined;
  const began = Date.now();
  let passed = 0;
  const server = await startServer({
    flags: { port: String(await freePort()), ...(own && { 'database-url': own.url }) },
    ports: { clock: { now: () => began + passed, monotonic: () => performance.now() } },
  });
  const players: Player[] = [];
  const extra: RpcClient[] = [];
  for (let i = 0; i < workload.people + workload.officials; i++) {
    if (i < workload.people) players.push(await server.user(nameOf(i)));
    else {
      const player = await official(server, nameOf(i));
      players.push(player);
      extra.push(player.client);
    }
    passed += 1;
  }
  const chatMids = new Map<number, string>();
  const messageIds = new Map<number, string>();
  const answers: Answer[] = [];
  return {
    server,
    dataDir: server.dataDir,
    databaseUrl: own?.url,
    players,
    answers,
    chatMids,
    messageIds,
    async play(command) {
      const n = answers.length;
      passed += command.wait;
      const answer = await makeCall({ workload, players, chatMids, messageIds }, command, n).then(
        (reply) => ({ outcome: 'ok', reply }),
        (error: GatewayError) => ({ outcome: error.error ?? String(error), reply: undefined }),
      );
      answers.push(answer);
      if (answer.outcome === 'ok' && command.do === 'send') messageIds.set(n, (answer.reply as Message).id);
      if (answer.outcome === 'ok' && command.do === 'create')
        chatMids.set(n, (answer.reply as { chat: { chatMid: string } }).chat.chatMid);
      return answer;
    },
    async close() {
      for (const client of extra) client.close();
      await server.close();
      await own?.drop();
    },
  };
}

async function official(server: TestServer, name: string): Promise<Player> {
  const password = `the secret of ${name}`;
  await operator(server).createAccount({ userid: name, password, displayName: name, kind: 'official' });
  const client = createRpcClient({ url: server.url });
  const { mid } = await client.login({ identifier: name, password });
  return { client, mid, userid: name };
}

/** Returns a free port. The server gets a fixed port, so that its clients still find it after a restart. */
function freePort(): Promise<number> {
  const socket = createSocketServer();
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.listen(0, '127.0.0.1', () => {
      const { port } = socket.address() as { port: number };
      socket.close(() => resolve(port));
    });
  });
}
