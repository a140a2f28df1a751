// Logins that are saved on this machine. Each has a file that only its owner can read.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Session, SessionStorage } from '@sealpost/sdk';
import { CliError, exitCodes } from './exit-codes.ts';
import { systemCause } from './file-faults.ts';
import { whileLocked } from './login-lock.ts';

export interface SavedLogin {
  readonly url: string;
  /**
   * The data folder of the server, if the server is on this machine. The folder has a file with the server's current
   * address.
   */
  readonly dataDir?: string;
  readonly userid: string;
  readonly buildToken?: string;
  readonly brand?: string;
  readonly session?: Session;
  /** The certificate that the last login brought. It stays valid after the session has ended. */
  readonly certificate?: string;
}

/** The revision up to which `listen` has printed. It is in a separate file, because it changes with every operation. */
export interface Cursor {
  readonly mid: string;
  readonly revision: string;
}

const NAME = /^[A-Za-z0-9_@+-][A-Za-z0-9._@+-]{0,63}$/;
const OWNER_ONLY = 0o600;

/** Returns the folder of the logins. An empty variable counts as none, so that no login lands in the current folder. */
export const configDirectory = (): string =>
  process.env.SEALPOST_CONFIG_DIR || join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'sealpost');

/**
 * Makes the folder of the logins. Called before a login, because a session that cannot be stored would stay open on the
 * server.
 * @throws CliError if nothing can be written there
 */
export function prepareLoginFolder(): void {
  const folder = loginsFolder();
  try {
    // This call names the true cause. The next one says of a read-only disk that a folder is missing.
    accessSync(nearestTo(folder), constants.W_OK);
    makeFolder(folder);
  } catch (error) {
    throw unusable(folder, error);
  }
}

/** Creates a folder and those above it. A recursive `mkdirSync` never returns in a file system like /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another command may have made it in the same moment.
    if (!existsSync(folder)) throw error;
  }
}

/** Returns a path, or the nearest folder above it that exists. */
const nearestTo = (path: string): string => (existsSync(path) ? path : nearestTo(dirname(path)));

const unusable = (path: string, error: unknown): CliError =>
  new CliError(
    `${path} cannot be used: ${systemCause(error)}. Give this user the right to it, or set SEALPOST_CONFIG_DIR to another folder.`,
  );

export const loadLogin = (name: string): SavedLogin | undefined => read<SavedLogin>(loginPath(name));
export const saveLogin = (name: string, login: SavedLogin): void => write(loginPath(name), login, DURABLE);
export const deleteCursor = (name: string): void => rmSync(cursorPath(name), { force: true });
export const loadCursor = (name: string): Cursor | undefined => read<Cursor>(cursorPath(name));
export const saveCursor = (name: string, cursor: Cursor): void => write(cursorPath(name), cursor);
/**
 * Returns the folder of a login's keys. The keys are not in the login file, because they are needed longer than the
 * session and because people show login files to others.
 */
export const keyFolder = (name: string): string => join(configDirectory(), 'keys', checked(name));

/** Returns the name of the login that was used last. Commands without --as use it. */
export function currentLogin(): string | undefined {
  const current = read<{ login?: string; profile?: string }>(currentPath());
  // Older versions named the field `profile`.
  return current?.login ?? current?.profile;
}
export const setCurrentLogin = (login: string): void => write(currentPath(), { login }, DURABLE);

/** Runs a change of a stored login while no other command changes that login. */
export const aloneWithLogin = <T>(name: string, change: () => Promise<T>): Promise<T> =>
  whileLocked(lockPath(name), change);

/** Returns the storage in which a client keeps its session: the file of its login. */
export function loginStorage(name: string): SessionStorage {
  return {
    alone: (change) => aloneWithLogin(name, change),
    load: () => loadLogin(name)?.session,
    save(session) {
      const login = loadLogin(name);
      if (!login) return;
      const { session: _, ...rest } = login;
      saveLogin(name, session ? { ...rest, session } : rest);
    },
  };
}

/** Removes a login whose account was deleted, with its keys and its cursor. */
export function forgetLogin(name: string): void {
  for (const path of [loginPath(name), lockPath(name), cursorPath(name), keyFolder(name)])
    rmSync(path, { recursive: true, force: true });
  if (currentLogin() === name) rmSync(currentPath(), { force: true });
}

const currentPath = () => join(configDirectory(), 'current.json');
const loginPath = (name: string) => join(loginsFolder(), `${checked(name)}.json`);
const lockPath = (name: string) => join(loginsFolder(), `${checked(name)}.lock`);
const cursorPath = (name: string) => join(configDirectory(), 'cursors', `${checked(name)}.json`);

/** Returns the folder of the logins. If the folder still has its old name `profiles`, it is renamed. */
function loginsFolder(): string {
  const folder = join(configDirectory(), 'logins');
  const older = join(configDirectory(), 'profiles');
  if (existsSync(folder) || !existsSync(older)) return folder;
  try {
    renameSync(older, folder);
  } catch (error) {
    // The error is ignored if the folder exists now, because another command renamed it at the same time.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function checked(name: string): string {
  if (NAME.test(name)) return name;
  const rule = 'letters, digits and . _ @ + - (no dot in front, at most 64 characters)';
  throw new CliError(`"${name}" cannot be the name of a login: use ${rule}.`, exitCodes.usage);
}

function read<T>(path: string): T | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, error);
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new CliError(`${path} is damaged: it is not JSON. Delete it and log in again.`);
  }
}

interface WriteOptions {
  /**
   * True if the file must survive a crash of the machine. This costs too much for files that change with every
   * operation.
   */
  readonly durable?: boolean;
}

const DURABLE: WriteOptions = { durable: true };

const write = (path: string, value: object, options?: WriteOptions): void =>
  writePrivate(path, `${JSON.stringify(value, null, 2)}\n`, options);

/**
 * Writes a file that only its owner can read. Another process sees either the old content or the new content, never
 * half of it.
 */
export function writePrivate(path: string, text: string, { durable = false }: WriteOptions = {}): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const fresh = `${path}.${process.pid}.tmp`;
    writeFileSync(fresh, text, { mode: OWNER_ONLY });
    chmodSync(fresh, OWNER_ONLY);
    // Otherwise, a crash after the renaming could leave an empty file: a disk may store the new name before the content.
    if (durable) sync(fresh, 'r+');
    renameSync(fresh, path);
    // Syncing the folder keeps the new name. Windows has no such call and needs none.
    if (durable && process.platform !== 'win32') sync(dirname(path), 'r');
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Waits until the disk has stored a file or a folder. */
function sync(path: string, flag: 'r' | 'r+'): void {
  const file = openSync(path, flag);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
