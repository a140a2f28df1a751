// Finds the names of people and chats by mid, and their mids by name.
import { isMid } from '@sealpost/contract';
import { GatewayError, NetworkError, type Verbs } from '@sealpost/sdk';
import { CliError } from './exit-codes.ts';
import { oneLine } from './output.ts';

const SHORT = 8;

/** A cache of display names by mid. A name is fetched when it is first needed. */
export class People {
  readonly #verbs: Pick<Verbs, 'chats' | 'contacts'>;
  readonly #names = new Map<string, string>();

  constructor(verbs: Pick<Verbs, 'chats' | 'contacts'>) {
    this.#verbs = verbs;
  }

  /**
   * Fetches the names of all these mids, many in one call. For a mid without a name, its first characters are shown.
   */
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

  /** Does the same as `learn`. If the server cannot answer now, the names stay unknown. */
  async tryToLearn(mids: readonly string[]): Promise<void> {
    try {
      await this.learn(mids);
    } catch (error) {
      if (!(error instanceof NetworkError || (error instanceof GatewayError && error.retry))) throw error;
    }
  }

  nameOf(mid: string): string {
    return this.#names.get(mid) ?? `${mid.slice(0, SHORT)}…`;
  }
}

/** Returns the mid of a recipient, whom the user names by a mid or a user id. */
export async function resolveRecipient(contacts: Verbs['contacts'], to: string): Promise<string> {
  if (isMid(to)) return to;
  const user = await contacts.findByUserid(to);
  if (user) return user.mid;
  throw new CliError(`Nobody has the user id "${to}", or it cannot be used to find them. Use their mid.`);
}
