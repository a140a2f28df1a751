// Logins on this machine: one file per profile, readable by its owner only.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Session, SessionStorage } from '@sealpost/sdk';
import { CliError, exitCodes } from './exit-codes.ts';

export interface Profile {
  readonly url: string;
  /** Data folder of the server, if that is one on this machine: it says where the server listens now. */
  readonly dataDir?: string;
  readonly userid: string;
  readonly buildToken?: string;
  readonly brand?: string;
  readonly session?: Session;
  /** Certificate of the last login; it outlives the session. */
  readonly certificate?: string;
}

/** Where `listen` left off. Kept apart from the profile, for it is written with every message. */
export interface Cursor {
  readonly mid: string;
  readonly revision: string;
}

const NAME = /^[A-Za-z0-9_@+-][A-Za-z0-9._@+-]{0,63}$/;
const OWNER_ONLY = 0o600;

export const configDirectory = (): string =>
  process.env.SEALPOST_CONFIG_DIR ?? join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'sealpost');

export const loadProfile = (name: string): Profile | undefined => read<Profile>(profilePath(name));
export const saveProfile = (name: string, profile: Profile): void => write(profilePath(name), profile);
export const deleteCursor = (name: string): void => rmSync(cursorPath(name), { force: true });
export const loadCursor = (name: string): Cursor | undefined => read<Cursor>(cursorPath(name));
export const saveCursor = (name: string, cursor: Cursor): void => write(cursorPath(name), cursor);
/** Where the keys of a login are. Apart from the profile: they outlive the session, and profiles are shown to people. */
export const keyFolder = (name: string): string => join(configDirectory(), 'keys', checked(name));

/** The profile of the last login: what commands use without --as. */
export const currentProfile = (): string | undefined => read<{ profile: string }>(currentPath())?.profile;
export const setCurrentProfile = (profile: string): void => write(currentPath(), { profile });

/** Keeps a client's session in its profile. */
export function profileStorage(name: string): SessionStorage {
  return {
    load: () => loadProfile(name)?.session,
    save(session) {
      const profile = loadProfile(name);
      if (!profile) return;
      const { session: _, ...rest } = profile;
      saveProfile(name, session ? { ...rest, session } : rest);
    },
  };
}

const currentPath = () => join(configDirectory(), 'current.json');
const profilePath = (name: string) => join(configDirectory(), 'profiles', `${checked(name)}.json`);
const cursorPath = (name: string) => join(configDirectory(), 'cursors', `${checked(name)}.json`);

function checked(name: string): string {
  if (NAME.test(name)) return name;
  const rule = 'letters, digits and . _ @ + - (no dot in front, at most 64 characters)';
  throw new CliError(`"${name}" can not be the name of a profile: use ${rule}.`, exitCodes.usage);
}

function read<T>(path: string): T | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new CliError(`${path} is not JSON any more. Delete it and log in again.`);
  }
}

const write = (path: string, value: object): void => writePrivate(path, `${JSON.stringify(value, null, 2)}\n`);

/** Another process sees the old file or the new one, never half of it. */
export function writePrivate(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${process.pid}.tmp`;
  writeFileSync(fresh, text, { mode: OWNER_ONLY });
  chmodSync(fresh, OWNER_ONLY);
  renameSync(fresh, path);
}
