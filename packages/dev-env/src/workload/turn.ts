// One turn of the workload's generator: the acting account, and the things on which it may act. Usually these are
// things for which the command makes sense. In a wild turn they may be anything, so that the server refuses some
// commands.

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
  /** A random account, for actions that concern another account. */
  readonly user: number;
  readonly wild: boolean;
  /** The number of the command that this turn makes. */
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
   * Returns a chat of which the account is a member, or an invitee if `joined` is false. If `wild` is true, returns any
   * chat.
   */
  chat(joined = true): number | undefined {
    return this.#oneOf(this.wild ? this.model.chats : this.#groups(joined));
  }

  room(): number | undefined {
    return this.#oneOf(this.#groups(true).filter((chat) => chat.room));
  }

  /** Returns a one-to-one chat, a group or a room. */
  anywhere(): ChatRef {
    const group = this.random.oneIn(2) ? this.chat() : undefined;
    return group === undefined ? { user: this.user } : { chat: group };
  }

  /** Returns the number of the command that sent a recent message which the account may change. */
  message(): number | undefined {
    const sent = [...this.model.sent.keys()].slice(-60);
    const changeable = () => sent.filter((command) => this.model.canChange(this.by, command));
    return this.random.pick<number | undefined>(this.wild ? sent : changeable());
  }

  /** Returns the number of the command by which the account sent a recent message. */
  ownMessage(): number | undefined {
    const own = [...this.model.sent].filter(
      ([command, { sender }]) => sender === this.by && this.model.canChange(this.by, command),
    );
    return this.random.pick<number | undefined>(own.slice(-10).map(([command]) => command));
  }

  /** Returns a reference to the chat, as commands of this account contain it. */
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
