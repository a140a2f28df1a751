// The groups of methods that need no local state. A `Client` has them. `createVerbs` makes them for programs that use
// only an `RpcClient`.
import { type Chats, createChats } from './chats/index.ts';
import { type Contacts, createContacts } from './contacts/index.ts';
import { type ClientPorts, withSystemPorts } from './gateway/ports.ts';
import { createOwnProfile, type OwnProfile } from './profile/index.ts';
import { type ClientLimits, readLimits } from './replica/client-limits.ts';
import { createReports, type Reports, type ReportsDeps } from './reports/index.ts';
import type { RpcClient } from './rpc-client.ts';

export interface Verbs {
  /** Groups and rooms. */
  readonly chats: Chats;
  readonly contacts: Contacts;
  /** The account's own profile and settings. */
  readonly profile: OwnProfile;
  /** Reports of abuse to the operator. */
  readonly reports: Reports;
}

export interface VerbsOptions extends Partial<Pick<ClientPorts, 'clock' | 'random'>>, Pick<ReportsDeps, 'contactOf'> {
  /** Returns the limits of the server. If not given, the limits are read at their first use. */
  readonly limits?: () => Promise<ClientLimits>;
}

export function createVerbs(rpc: RpcClient, options: VerbsOptions = {}): Verbs {
  const { clock, random } = withSystemPorts(options);
  let read: Promise<ClientLimits> | undefined;
  const limits =
    options.limits ??
    (() => {
      read ??= readLimits(rpc).catch((error) => {
        read = undefined;
        throw error;
      });
      return read;
    });
  const contacts = createContacts({ rpc, limits });
  return {
    contacts,
    chats: createChats({ rpc, contacts, clock, limits }),
    profile: createOwnProfile({ rpc, random }),
    reports: createReports({ rpc, contactOf: options.contactOf }),
  };
}
