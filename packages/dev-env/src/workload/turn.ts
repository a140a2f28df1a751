// One turn of the generator: who acts, and on what. What it picks is sensible at this point of the model. In a wild turn
// it may be anything, so that the server refuses some commands.

import { accounts } from './cast.ts';
import type { ChatRef } from './commands.ts';
import type { Model } from './model.ts';
import type { ModelChat } from './model-chat.ts';
import type { Random } from './random.ts';

type Numbered = { readonly command?: number };

export class Turn {
  readonly random: Random;
  readonly model: Model;
  readonly by: number;
  readonly wait: number;
  /** Any account, for actions that concern another account. */
  readonly user: number;
  readonly wild: boolean;
  /** The number of the command. */
  readonly n: number;

  constructor(random: Random, model: Model) {
    this.random = random;
    this.model = model;
    this.by = random.below(accounts.length);
    this.wait = random.oneIn(2) ? 0 : random.below(40);
    this.user = random.below(accounts.length);
    this.wild = random.oneIn(10);
    this.n = model.commands.length;
  }

  /**
   * Returns a chat of which the account is a member (or an invitee, if `joined` is false). If `wild` is true, it
   * returns any chat.
   */
  chat(joined = true): number | undefined {
    return this.#oneOf(this.wild ? this.model.chats : this.#groups(joined));
  }

  room(): number | undefined {
    return this.#oneOf(this.#groups(true).filter((chat) => chat.room));
  }

  /** Returns a chat of two, a group or a room. */
  anywhere(): ChatRef {
    const group = this.random.oneIn(2) ? this.chat() : undefined;
    return group === undefined ? { user: this.user } : { chat: group };
  }

  /** Returns the command of a recent message that the account may change. */
  message(): number | undefined {
    const sent = [...this.model.sent.keys()].slice(-60);
    const changeable = () => sent.filter((command) => this.model.canChange(this.by, command));
    return this.random.pick<number | undefined>(this.wild ? sent : changeable());
  }

  /** Returns the command of a recent message that the account sent. */
  ownMessage(): number | undefined {
    const own = [...this.model.sent].filter(
      ([command, { sender }]) => sender === this.by && this.model.canChange(this.by, command),
    );
    return this.random.pick<number | undefined>(own.slice(-10).map(([command]) => command));
  }

  /** Returns the chat as the account names it. */
  refTo(chat: Pick<ModelChat, 'command' | 'pair'>): ChatRef {
    if (chat.command !== undefined) return { chat: chat.command };
    return { user: chat.pair.find((other) => other !== this.by) ?? this.by };
  }

  #groups(joined: boolean): readonly ModelChat[] {
    return this.model.ofAccount(this.by).groups(joined);
  }

  #oneOf(chats: readonly Numbered[]): number | undefined {
    return this.random.pick<number | undefined>(chats.flatMap((chat) => chat.command ?? []));
  }
}
