// Finds the names of mids, and the mids of names.
import { isMid } from '@sealpost/contract';
import type { Verbs } from '@sealpost/sdk';
import { CliError } from './exit-codes.ts';
import { oneLine } from './output.ts';

const SHORT = 8;

/** Display names by mid, fetched when they are first needed. */
export class People {
  readonly #verbs: Pick<Verbs, 'chats' | 'contacts'>;
  readonly #names = new Map<string, string>();

  constructor(verbs: Pick<Verbs, 'chats' | 'contacts'>) {
    this.#verbs = verbs;
  }

  /** Looks up the names of all these mids, many in one call. A mid without a name is shown by its first characters. */
  async learn(mids: readonly string[]): Promise<void> {
    const unknown = [...new Set(mids)].filter((mid) => !this.#names.has(mid));
    const users = unknown.filter((mid) => mid.startsWith('u'));
    const chats = unknown.filter((mid) => !mid.startsWith('u'));
    for (const [mid, { displayName, displayNameOverridden }] of await this.#verbs.contacts.get(users)) {
      this.#names.set(mid, oneLine(displayNameOverridden || displayName));
    }
    for (const [mid, { chatName }] of await this.#verbs.chats.get(chats)) {
      if (chatName) this.#names.set(mid, oneLine(chatName));
    }
  }

  nameOf(mid: string): string {
    return this.#names.get(mid) ?? `${mid.slice(0, SHORT)}…`;
  }
}

/** Returns the mid of a recipient. The user may type a mid or a user id. */
export async function resolveRecipient(contacts: Verbs['contacts'], to: string): Promise<string> {
  if (isMid(to)) return to;
  const user = await contacts.findByUserid(to);
  if (user) return user.mid;
  throw new CliError(`Nobody has the user id "${to}", or it cannot be used to find them. Use their mid.`);
}
