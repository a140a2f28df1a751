// A server with logged-in accounts, a connection to it that can be stalled, and files to send.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, type RunningCommand, run, start } from '@sealpost/dev-env/command';
import { type CuttingProxy, cuttingProxy } from '@sealpost/dev-env/proxies/cutting';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';

export const MIB = 1024 * 1024;

export interface MediaWorld {
  readonly server: ServerProcess;
  readonly proxy: CuttingProxy;
  readonly folder: string;
  /** The mids of the accounts, by user id. */
  readonly mids: Readonly<Record<string, string>>;
  sealpost(...args: string[]): Promise<CommandResult>;
  /** Runs a command with text as its standard input. */
  piped(input: string, ...args: string[]): Promise<CommandResult>;
  /** Runs a command with --json, which must succeed, and returns its output. */
  json<T>(...args: string[]): Promise<T>;
  /** Starts a command over the connection that can be stalled. The logins on this connection are named `<name>-far`. */
  far(...args: string[]): RunningCommand;
  farPiped(input: string, ...args: string[]): RunningCommand;
  /** Runs a command to its end over the connection that can be stalled. */
  sealpostFar(...args: string[]): Promise<CommandResult>;
  loginFar(name: string): Promise<void>;
  file(name: string, bytes: Buffer): string;
  /** Returns a new empty folder for downloads. */
  emptyFolder(): string;
  dispose(): Promise<void>;
}

export async function mediaWorld(names: readonly string[]): Promise<MediaWorld> {
  const server = await startServer();
  const proxy = await cuttingProxy(server.url);
  const folder = mkdtempSync(join(server.dataDir, 'files-'));
  const near = { ...server.env, SEALPOST_URL: server.url };
  const overProxy = { ...server.env, SEALPOST_URL: proxy.url };
  const mids: Record<string, string> = {};
  for (const name of names) {
    const { mid, password } = await server.createAccount(name, `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`);
    mids[name] = mid;
    const login = await run(near, ['login', name, '--password-stdin'], password);
    assert.equal(login.code, 0, login.err);
  }
  const sealpost = (...args: string[]) => run(near, args);
  return {
    server,
    proxy,
    folder,
    mids,
    sealpost,
    async json(...args) {
      const { code, out, err } = await sealpost(...args, '--json');
      assert.equal(code, 0, err);
      return JSON.parse(out);
    },
    piped: (input, ...args) => run(near, args, input),
    far: (...args) => start(overProxy, args),
    farPiped: (input, ...args) => start(overProxy, args, input),
    sealpostFar: (...args) => run(overProxy, args),
    async loginFar(name) {
      // A stored login belongs to one server address, so each account logs in again through the proxy.
      const args = ['login', name, '--as', `${name}-far`, '--password-stdin'];
      const login = await run(overProxy, args, `password of ${name}`);
      assert.equal(login.code, 0, login.err);
    },
    file(name, bytes) {
      const path = join(folder, name);
      writeFileSync(path, bytes);
      return path;
    },
    emptyFolder: () => mkdtempSync(join(folder, 'to-')),
    async dispose() {
      await proxy.close();
      await server.dispose();
    },
  };
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
