// Admin endpoints of invites: create, list, show and revoke.

import type { RegistrationMode } from '@sealpost/contract';
import type { AdminResult, AuditAction } from '@sealpost/contract/admin';
import { inviteLimits } from '@sealpost/contract/admin';
import { joinPath } from '@sealpost/contract/registration-names';
import { pageOf } from '../../platform/json-api/input.ts';
import { Problem } from '../../platform/json-api/problem.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import { type Accounts, checkIdentifiers, InvalidAccount } from '../accounts/index.ts';
import type { AdminHandlers, Audit } from '../admin/index.ts';
import type { Invite, Invites } from './invites.ts';

export interface RegistrationAdminDeps {
  readonly store: Store;
  readonly accounts: Pick<Accounts, 'judge'>;
  readonly invites: Invites;
  readonly audit: Audit;
  readonly mode: RegistrationMode;
  /** Returns the address that clients use. */
  readonly url: () => string;
}

const DAY_MS = 86_400_000;
const CONTROL = /\p{Cc}/u;

export function registrationAdminHandlers(
  deps: RegistrationAdminDeps,
): AdminHandlers<'checkAccounts' | 'createInvite' | 'listInvites' | 'showInvite' | 'revokeInvite'> {
  const { store, accounts, invites, audit, mode, url } = deps;
  const note = (tx: Tx, actor: string, action: AuditAction, subject: string, detail: object = {}): Promise<void> =>
    audit.record(tx, { actor, action, subject, detail: JSON.stringify(detail) });

  async function require(id: string): Promise<Invite> {
    const found = await invites.show(/^\d{1,16}$/.test(id) ? Number(id) : 0);
    if (!found) throw new Problem(404, `no invite has the id ${JSON.stringify(id)}`);
    return found;
  }

  return {
    async checkAccounts({ accounts: planned }) {
      const judged = await accounts.judge(planned);
      return {
        accounts: judged.map(({ userid, email, phone, existing, errors }) => ({
          userid,
          ...(email !== null && { email }),
          ...(phone !== null && { phone }),
          ...(existing !== undefined && { existing }),
          errors: [...errors],
        })),
      };
    },
    async createInvite({ uses = 1, days = inviteLimits.usualDays, ...given }, { actor }) {
      if (mode === 'closed')
        throw new Problem(409, 'the setting registration is "closed": with it, nobody could use an invite');
      const { from = '', name = '', note: remark = '' } = given;
      requirePlain({ from, name, note: remark });
      const texts = { from: from.trim(), name: name.trim(), note: remark.trim() };
      const { invite, code } = await invites.create(
        { uses, lifeMs: days === 0 ? undefined : days * DAY_MS, ...texts, ...identifiersOf(uses, given) },
        (tx, id) => note(tx, actor, 'invite.create', String(id), { uses, days }),
      );
      return { ...inviteJson(invite), code, link: `${url()}${joinPath}#${code}` };
    },
    async listInvites({ state, ...args }) {
      const { limit, cursor } = pageOf(args, Number.MAX_SAFE_INTEGER);
      const page = await invites.list(cursor, limit, state);
      return { invites: page.invites.map(inviteJson), ...(page.last !== undefined && { cursor: String(page.last) }) };
    },
    async showInvite({ invite }) {
      const found = await require(invite);
      return { ...inviteJson(found), accounts: await store.read((reader) => invites.accountsOf(reader, found.id)) };
    },
    async revokeInvite({ invite }, { actor }) {
      const { id } = await require(invite);
      await invites.revoke(id, (tx) => note(tx, actor, 'invite.revoke', String(id)));
      return inviteJson(await require(invite));
    },
  };
}

/** Refuses control characters in texts, because a terminal that shows them would execute them. */
function requirePlain(texts: Readonly<Record<string, string>>): void {
  const errors = Object.entries(texts)
    .filter(([, text]) => CONTROL.test(text))
    .map(([field]) => ({ field, message: 'must have no control characters', code: 'control-characters' as const }));
  if (errors.length > 0) throw new InvalidAccount(errors);
}

interface GivenIdentifiers {
  readonly userid?: string;
  readonly email?: string;
  readonly phone?: string;
}

/**
 * Returns the identifiers of an invite in normal form. Identifiers belong to one account, so an invite for several
 * accounts has no identifiers.
 */
function identifiersOf(uses: number, { userid = '', email = '', phone = '' }: GivenIdentifiers) {
  const given = { userid, email, phone };
  const named = Object.entries(given).filter(([, text]) => text !== '');
  if (uses > 1 && named.length > 0) {
    throw new InvalidAccount(
      named.map(([field]) => ({ field, message: `belongs to one account, and the invite is for ${uses}` })),
    );
  }
  return checkIdentifiers(given);
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

function inviteJson(invite: Invite): AdminResult<'revokeInvite'> {
  const { id, state, uses, used, sender, name, note, userid, email, phone } = invite;
  return {
    ...{ id: String(id), state, uses, used },
    ...(sender && { from: sender }),
    ...(name && { name }),
    ...(note && { note }),
    ...(userid && { userid }),
    ...(email && { email }),
    ...(phone && { phone }),
    createdTime: timeOf(invite.created_time),
    ...(invite.expires_time !== null && { expires: timeOf(invite.expires_time) }),
    ...(invite.revoked_time !== null && { revokedTime: timeOf(invite.revoked_time) }),
  };
}
