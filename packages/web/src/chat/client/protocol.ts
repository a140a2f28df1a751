// What pages and the engine say to each other. The engine is the SDK's client in a worker. One tab of the browser runs
// it, for all tabs: that tab holds a lock.
import type { Contact, Profile, Settings } from '@sealpost/contract';
import type {
  ChatView,
  Client,
  DeviceNews,
  Outgoing,
  OwnKeyState,
  Session,
  StateChange,
  StoredMessage,
} from '@sealpost/sdk';

export const CHANNEL = 'sealpost';
export const LOCK = 'sealpost-engine';

/** What the server tells a page that came from it. */
export interface ServerInfo {
  readonly version: string;
  readonly brand: string;
  readonly buildToken: string;
  /** Accounts to play with, on a development server. */
  readonly accounts?: readonly { readonly userid: string; readonly password: string; readonly name: string }[];
}

/** A message that waits in the outbox, as a page shows it. */
export type Waiting = Pick<Outgoing, 'localId' | 'position' | 'chatMid' | 'content' | 'state' | 'failure'> & {
  readonly file?: Pick<NonNullable<Outgoing['file']>, 'kind' | 'name' | 'size' | 'preview' | 'duration'> | undefined;
};

/** The part of the state that is small and changes seldom. */
export interface Status {
  /** `starting`: the engine opens its store. `signed-out`: a login is needed. `failed`: `problem` says why. */
  readonly phase: 'starting' | 'signed-out' | 'open' | 'failed';
  readonly problem?: { readonly name: string; readonly message: string; readonly kind?: string };
  readonly session?: Pick<Session, 'mid'> | undefined;
  readonly connection: StateChange;
  readonly profile?: Profile | undefined;
  readonly settings?: Settings | undefined;
  readonly server?: ServerInfo;
  /**
   * Why the session ended without a logout here. `revoked`: on another device, or by the operator. `expired`: the server
   * does not know it any more.
   */
  readonly ended?: 'revoked' | 'expired' | undefined;
  /** By how much the clock of this device is ahead of the server's, in milliseconds; undefined while they agree. */
  readonly clockAheadMs?: number | undefined;
  /** Whether the browser had no room for what was to be kept last. */
  readonly storageFull?: boolean;
}

/** A finding about keys that a person must have seen. */
export interface Alarm {
  readonly id: string;
  /** The reason of a KeyTrustError. */
  readonly reason: string;
  readonly mid?: string | undefined;
  readonly time: number;
  /** What was found exactly, in English, for reports. */
  readonly detail: string;
  readonly seen: boolean;
}

/** What this browser knows about keys: its own, and those of others. */
export interface Trust {
  /** `unknown`: the server could not be asked yet. The others are those of the SDK's `ownKey`. */
  readonly ownKey: 'unknown' | OwnKeyState['kind'];
  /** Whether to offer a backup of the keys. It is offered once. */
  readonly offersBackup: boolean;
  readonly alarms: readonly Alarm[];
  /** When people got new keys, in epoch milliseconds by mid. */
  readonly keyChanges: Readonly<Record<string, readonly number[]>>;
}

/** Everything that a page needs to begin. */
export interface Snapshot {
  readonly status: Status;
  readonly chats: readonly ChatView[];
  readonly contacts: readonly Contact[];
  readonly outbox: readonly Waiting[];
  readonly trust?: Trust;
}

/** What one commit changed. */
export interface Changes {
  readonly chats: readonly ChatView[];
  /** The mids of chats that the account has no more. */
  readonly goneChats: readonly string[];
  readonly contacts: readonly Contact[];
  readonly goneContacts: readonly string[];
  /** Changed messages by chat; an id alone is of a message that is not kept any more. */
  readonly messages: Readonly<Record<string, readonly (StoredMessage | string)[]>>;
  readonly readers: readonly string[];
  readonly outbox?: readonly Waiting[];
}

/** A step of a login that runs. */
export type LoginStep =
  | { readonly kind: 'begun' }
  | { readonly kind: 'pin'; readonly pinCode: string; readonly words?: string | undefined }
  | { readonly kind: 'qr'; readonly url: string }
  | { readonly kind: 'scanned' }
  | { readonly kind: 'verified' };

/** News about devices, keys and trust that a person should see. */
export type Notice =
  | {
      readonly kind: 'device';
      readonly news: DeviceNews['kind'];
      readonly id: string;
      readonly about: DeviceNews['about'];
    }
  | { readonly kind: 'new-key'; readonly mid: string };

/** How far an upload or download is that runs. */
export interface Transfer {
  /** The id on this device of a message that is sent, or the id of a message whose media are loaded. */
  readonly id: string;
  /** In bytes. The transfer has ended when it is the total. */
  readonly done: number;
  readonly total: number;
}

export type EngineEvent =
  /** A new engine began. Pages of another build should be loaded again. */
  | { readonly kind: 'leads'; readonly build: string }
  /** Another account, or none, is open now: everything must be read again. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'status'; readonly status: Status }
  | { readonly kind: 'changes'; readonly changes: Changes }
  | { readonly kind: 'login'; readonly step: LoginStep }
  | { readonly kind: 'trust'; readonly trust: Trust }
  | { readonly kind: 'transfer'; readonly transfer: Transfer }
  | { readonly kind: 'notice'; readonly notice: Notice };

/** The topics of the client whose verbs pages call by name. */
export type Topic =
  | 'messaging'
  | 'chats'
  | 'contacts'
  | 'profile'
  | 'stickers'
  | 'notices'
  | 'push'
  | 'reports'
  | 'devices'
  | 'trust'
  | 'recovery'
  | 'outbox'
  | 'replica'
  | 'media';

type Verb = (...args: never[]) => unknown;
/** The verbs of a topic as a page sees them: all asynchronous. */
export type Remote<T> = {
  readonly [K in keyof T as T[K] extends Verb ? K : never]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

export type RemoteClient = { readonly [T in Topic]: Remote<Client[T]> } & {
  readonly profile: { readonly settings: Remote<Client['profile']['settings']> };
};

export type Request = {
  readonly kind: 'call';
  /** The page, and the number of its call. */
  readonly page: string;
  readonly id: number;
  readonly path: string;
  readonly args: readonly unknown[];
};

export type Answer = {
  readonly kind: 'answer';
  readonly page: string;
  readonly id: number;
  readonly value?: unknown;
  readonly error?: CallErrorFields;
};

/** An error of the SDK on its way to a page. */
export interface CallErrorFields {
  readonly name: string;
  readonly message: string;
  /** The fields of the error that can be sent: `error` of a GatewayError, `reason` of a SealingError, `kind`, … */
  readonly fields: Readonly<Record<string, unknown>>;
}

export type Said = EngineEvent | Request | Answer;
