// Starts listening, and writes the server's address to the data folder and to the ready file.
import { rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeAtomically } from '../platform/kernel/files.ts';
import { type Announcement, addressOf, hasField } from './announcement.ts';
import type { Config } from './config/config.ts';

/** The addresses of a server. The texts are empty until the server listens. */
export interface Addresses {
  readonly url: string;
  readonly obsUrl: string;
}

export interface ListenDeps {
  readonly announcement: Announcement;
  readonly version: string;
  /** Called before the server listens. */
  readonly prepare: () => Promise<void> | undefined;
  /** Called with the addresses before any file announces the server. */
  readonly onListening: (addresses: Addresses, port: number) => void;
}

/**
 * Listens, then announces the server.
 * @throws Error if the server cannot listen on the address; the message says what to do
 */
export async function listenAndAnnounce(http: Server, config: Config, deps: ListenDeps): Promise<void> {
  const { announcement, version, prepare, onListening } = deps;
  try {
    await prepare();
    if (!http.listening) await listen(http, config, { host: '--host', port: '--port' });
    const { port } = http.address() as AddressInfo;
    const url = config.publicUrl ?? addressOf(config.host, port);
    const addresses = { url, obsUrl: url };
    onListening(addresses, port);
    announce({ ...config, port }, announcement, { addresses, version });
  } catch (error) {
    http.close();
    announcement.withdraw();
    throw error;
  }
}

/** Writes the files that tell where the server listens. */
export function announce(
  config: Pick<Config, 'host' | 'port' | 'publicUrl' | 'readyFile'>,
  announcement: Announcement,
  { addresses, version }: { readonly addresses: Addresses; readonly version: string },
): void {
  announcement.publish(config);
  if (config.readyFile) writeReadyFile(config.readyFile, { ...addresses, version });
}

/** Writes the ready file of this process. */
export function writeReadyFile(path: string, { url, obsUrl, version }: Addresses & Pick<ListenDeps, 'version'>): void {
  writeAtomically('ready-file', path, JSON.stringify({ url, obsUrl, pid: process.pid, version }));
}

/** Removes the files that tell where the server listens. */
export function withdraw({ readyFile }: Config, announcement: Announcement): void {
  announcement.withdraw();
  if (readyFile) removeReadyFile(readyFile);
}

/** Removes a ready file if this process wrote it. */
export function removeReadyFile(path: string): void {
  if (hasField(path, 'pid', process.pid)) rmSync(path, { force: true });
}

/**
 * Number of connections that wait until the server takes them. The system makes it smaller, on Linux to
 * net.core.somaxconn. Beyond it connections are lost, and their clients notice that only after seconds. So all clients of
 * a server that was lost should fit in.
 */
const BACKLOG = 65_535;

/** The names of the settings for an address to listen on, for messages to the operator. */
interface AddressSettings {
  readonly host: string;
  readonly port: string;
}

/** Returns advice for the operator if the server cannot listen on an address, by the error code of the system. */
function listenAdvice({ host, port }: AddressSettings): Readonly<Record<string, string>> {
  const noAddress = `is not an address of this machine. Name one of its own with ${host}, for example 127.0.0.1, or 0.0.0.0 for all of them.`;
  return {
    EADDRINUSE: `is in use. Stop what listens there, or take another port with ${port}.`,
    EACCES: `is not for this user. Take a port above 1023 with ${port}, or give the process the right to low ports.`,
    EADDRNOTAVAIL: noAddress,
    ENOTFOUND: noAddress,
    EAI_AGAIN: noAddress,
  };
}

/** @throws Error if the server cannot listen on the address; the message says what to do */
export function listen(
  http: Server,
  { host, port }: { readonly host: string; readonly port: number },
  settings: AddressSettings,
): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      const told = listenAdvice(settings)[error.code ?? ''];
      reject(told ? new Error(`${host}:${port} ${told}`, { cause: error }) : error);
    });
    http.listen({ port, host, backlog: BACKLOG }, resolve);
  });
}
