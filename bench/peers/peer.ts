// What the servers of other projects have in common: they must be installed, they start, and they stop.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { dataFolder } from '../gateway.ts';
import { SERVER_CORE, spawnForeign, stop } from '../pinned-process.ts';
import { childOf } from '../process-usage.ts';

const START_MS = 60_000;

/** A running XMPP server. */
export interface Peer {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface PeerOptions {
  /** A command that runs the server, such as strace. */
  readonly under?: readonly string[] | undefined;
}

/**
 * Starts the command of a server on the core of the servers. It has a new folder for all that it writes, which is
 * removed at the end.
 * @param command makes the command, after it has written its files into the folder
 */
export async function startPeer(
  port: number,
  { under }: PeerOptions,
  command: (folder: string) => { readonly words: readonly string[]; readonly env?: Readonly<Record<string, string>> },
): Promise<Peer> {
  const folder = dataFolder();
  const { words, env } = command(folder);
  const child = spawnForeign(words, { core: SERVER_CORE, cwd: folder, under, ...(env && { env }) });
  let pid = child.pid as number;
  // Nothing of it is needed afterwards, and Prosody may go on after SIGTERM if connections were just lost.
  const abort = (): void => {
    if (child.exitCode === null) process.kill(pid, 'SIGKILL');
  };
  process.once('exit', abort);
  const end = async (): Promise<void> => {
    process.off('exit', abort);
    await stop(child, 'SIGKILL', pid);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await accepting(child, port, folder);
  } catch (error) {
    await end();
    throw error;
  }
  if (under) pid = childOf(pid) ?? pid;
  return { port, pid, stop: end };
}

async function accepting(child: ChildProcess, port: number, folder: string): Promise<void> {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; ) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with code ${child.exitCode}`);
    if (await accepts(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`nobody listens at port ${port}; the log is in ${path.join(folder, 'log')}`);
}

async function accepts(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
