// Registration: people open accounts themselves, with an invite, or by solving a challenge if the server is open.
import type {
  CheckedUserid,
  RegistrationArgs,
  RegistrationEndpointName,
  RegistrationMode,
  RegistrationOffer,
  RegistrationResult,
  SeenInvite,
  SolvedChallenge,
} from '@sealpost/contract';
import { Problem } from '../../platform/json-api/problem.ts';
import { addressBlock } from '../../platform/kernel/address-block.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import { type Accounts, accountRules, type ChangeHook, normalUserid, useridProblem } from '../accounts/index.ts';
import type { AttemptLimit } from '../login/index.ts';
import type { Challenges } from './challenges.ts';
import type { Invite, Invites } from './invites.ts';
import { CHALLENGE_USED, CLOSED, INVITE_NEEDED, inviteOver, unknownCode } from './refusals.ts';
import type { RegistrationLimits } from './registration-limits.ts';

export interface RegistrationDeps {
  readonly mode: RegistrationMode;
  readonly store: Store;
  readonly accounts: Accounts;
  readonly invites: Invites;
  readonly challenges: Challenges;
  /** Limits the wrong codes of each address. */
  readonly guesses: AttemptLimit;
  readonly limits: RegistrationLimits;
}

/** The handlers of the registration API. Each gets the address of the client. */
export type RegistrationHandlers = {
  readonly [N in RegistrationEndpointName]: (
    args: RegistrationArgs<N>,
    address: string,
  ) => Promise<RegistrationResult<N>> | RegistrationResult<N>;
};

export function createRegistration(deps: RegistrationDeps): RegistrationHandlers {
  const { mode, store, accounts, challenges, limits } = deps;
  return {
    showRegistration: (): RegistrationOffer => ({ mode, ...accountRules }),
    async lookAtInvite({ code }, address) {
      refuseIfClosed(mode);
      return seenInvite(await inviteOf(deps, code, address));
    },
    async checkUserid({ userid, code }, address) {
      await requireEntry(deps, code, address);
      return checkUserid(accounts, userid);
    },
    async getChallenge(_args, address) {
      refuseIfClosed(mode);
      if (mode !== 'open') throw new Problem(403, INVITE_NEEDED);
      await store.read((reader) => limits.check(reader, address));
      return challenges.create();
    },
    async register({ userid, password, displayName, code, solved }, address) {
      const entry = await entryOf(deps, { code, solved }, address);
      const { email, phone } = entry;
      const account = await accounts.create(
        { userid, password, displayName, ...(email && { email }), ...(phone && { phone }) },
        entry.use,
      );
      return { mid: account.mid, userid: account.userid ?? '', displayName: account.displayName };
    },
  };
}

function refuseIfClosed(mode: RegistrationMode): void {
  if (mode === 'closed') throw new Problem(403, CLOSED);
}

/**
 * Finds the invite with a code. An attempt is counted before the search for the invite, and the count is taken back if
 * the invite exists. So many guesses at the same time do not get around the limit.
 * @throws Problem 404 if no invite has the code
 */
async function inviteOf({ store, invites, guesses }: RegistrationDeps, code: string, address: string): Promise<Invite> {
  const attempt = await guesses.take(addressBlock(address));
  const found = await store.read((reader) => invites.findByCode(reader, code));
  if (!found) throw unknownCode();
  await attempt.takeBack();
  return found;
}

async function usableInvite(deps: RegistrationDeps, code: string, address: string): Promise<Invite> {
  const invite = await inviteOf(deps, code, address);
  if (invite.state !== 'usable') throw inviteOver(invite.state);
  return invite;
}

/** Throws unless a registration is allowed: with the code of a usable invite, or without a code on an open server. */
async function requireEntry(deps: RegistrationDeps, code: string | undefined, address: string): Promise<void> {
  refuseIfClosed(deps.mode);
  if (code !== undefined) await usableInvite(deps, code, address);
  else if (deps.mode !== 'open') throw new Problem(403, INVITE_NEEDED);
}

/** The permission for a registration: a usable invite, or a solved challenge. */
interface Entry {
  /** The e-mail address and the phone number that the operator gave with the invite. */
  readonly email?: string;
  readonly phone?: string;
  /** Uses up the invite or challenge, in the transaction that creates the account. */
  readonly use: ChangeHook;
}

interface Given {
  readonly code: string | undefined;
  readonly solved: SolvedChallenge | undefined;
}

/** Checks the code or the challenge of a registration, before the slow hash of the password is computed. */
async function entryOf(deps: RegistrationDeps, { code, solved }: Given, address: string): Promise<Entry> {
  const { mode, store, invites, challenges, limits } = deps;
  refuseIfClosed(mode);
  if (code !== undefined) {
    const { id, email, phone } = await usableInvite(deps, code, address);
    const use = async (tx: Tx, account: { readonly id: number }) => {
      if (!(await invites.use(tx, id, account.id))) throw inviteOver((await invites.show(id))?.state ?? 'revoked');
    };
    return { email, phone, use };
  }
  if (mode !== 'open') throw new Problem(403, INVITE_NEEDED);
  if (!solved) throw new Problem(422, 'solved must hold a challenge of this server and its solution');
  await store.read((reader) => limits.check(reader, address));
  const fault = await challenges.fault(solved);
  if (fault) throw new Problem(422, fault);
  if (await challenges.wasUsed(solved)) throw new Problem(410, CHALLENGE_USED);
  return {
    use: async (tx) => {
      if (!(await challenges.use(tx, solved))) throw new Problem(410, CHALLENGE_USED);
      await limits.count(tx, address);
    },
  };
}

function seenInvite({ state, sender, name, userid, uses, used, expires_time }: Invite): SeenInvite {
  return {
    state,
    ...(sender && { from: sender }),
    ...(name && { name }),
    ...(userid && { userid }),
    ...(expires_time !== null && { expires: new Date(expires_time).toISOString() }),
    usesLeft: state === 'usable' ? uses - used : 0,
  };
}

async function checkUserid(accounts: Accounts, given: string): Promise<CheckedUserid> {
  const userid = normalUserid(given);
  const problem = useridProblem(userid);
  if (problem !== undefined) return { userid, free: false, problem };
  return { userid, free: (await accounts.show(userid)) === undefined };
}
