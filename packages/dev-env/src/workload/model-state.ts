// The state of the model, and the basic changes from which commands are composed.
import type { ChatRef } from './commands.ts';
import { ContactsModel } from './contacts-model.ts';
import {
  type ModelChat,
  type ModelMessage,
  newChat,
  newestOf,
  reaches,
  sideOf,
  takesPart,
  toldMembers,
  visible,
  without,
} from './model-chat.ts';

export class ModelState {
  readonly names: readonly string[];
  readonly contacts: ContactsModel;
  /** The groups and rooms. */
  readonly chats: ModelChat[] = [];
  /** The messages that commands sent, by the number of the command. */
  readonly sent = new Map<number, ModelMessage>();
  now = 1;
  readonly #pairs = new Map<string, ModelChat>();
  readonly #delivered: ModelMessage[][];
  #seq = 0;

  constructor(names: readonly string[]) {
    this.names = names;
    this.contacts = new ContactsModel(names);
    this.#delivered = names.map(() => []);
  }

  /** Returns the one-to-one chat of two accounts. Creates it if there is none. */
  openPeerChat(a: number, b: number): ModelChat {
    const known = this.#pairs.get(pairOf(a, b));
    if (known) return known;
    const chat = newChat({ room: false, creator: a, name: '', pair: [...new Set([a, b])] });
    for (const account of chat.pair) sideOf(chat, account);
    this.#pairs.set(pairOf(a, b), chat);
    return chat;
  }

  /** Returns the group or room that a command created. */
  groupOf(command: number): ModelChat {
    return this.chats.find((chat) => chat.command === command) as ModelChat;
  }

  /** Returns the chat that the account refers to; undefined if the account cannot open it. */
  openedBy(account: number, ref: ChatRef): ModelChat | undefined {
    const chat = 'user' in ref ? this.#pairs.get(pairOf(account, ref.user)) : this.groupOf(ref.chat);
    return chat && reaches(chat, account) ? chat : undefined;
  }

  /**
   * Returns the chats for which the account has a message box. A one-to-one chat has a box only if the account can see
   * a message in it.
   */
  boxesOf(account: number): ModelChat[] {
    return [
      ...this.chats.filter((chat) => takesPart(chat, account, true)),
      ...[...this.#pairs.values()].filter((chat) => chat.pair.includes(account) && newestOf(chat, account) > 0),
    ];
  }

  /** Returns the message that a command sent; undefined if the account may not change it now. */
  changeable(account: number, command: number): ModelMessage | undefined {
    const message = this.sent.get(command);
    const there = message && reaches(message.chat, account) && visible(message.chat, account).includes(message);
    return there && !message.unsent ? message : undefined;
  }

  /** Returns the messages that were delivered to the account, in the order of their delivery. */
  deliveredTo(account: number): readonly ModelMessage[] {
    return this.#delivered[account] ?? [];
  }

  /**
   * Returns a number for the moment at which a membership begins or ends. The number lies between the numbers of the
   * messages before and after that moment.
   */
  boundary(): number {
    this.#seq += 1;
    return this.#seq;
  }

  /** Makes the accounts members. Those who keep the inviter away are told nothing of the chat. */
  join(chat: ModelChat, inviter: number, accounts: readonly number[], after: number): void {
    this.#put(chat, inviter, accounts, { joined: true, seq: after });
    for (const account of accounts) sideOf(chat, account);
  }

  invite(chat: ModelChat, inviter: number, accounts: readonly number[]): void {
    this.#put(chat, inviter, accounts, { joined: false, seq: 0 });
  }

  #put(chat: ModelChat, inviter: number, accounts: readonly number[], place: { joined: boolean; seq: number }): void {
    const added = accounts.map((account) => {
      return { account, withheld: this.keepsAway(chat, inviter, account), time: this.now, ...place };
    });
    chat.parties = [...without(chat, accounts), ...added];
  }

  /** Tells parties of the chat from now on. Others see no change. */
  tellFromNow(chat: ModelChat, accounts: readonly number[], after: number): void {
    const told = chat.parties.filter(({ account }) => accounts.includes(account));
    chat.parties = [...without(chat, accounts), ...told.map((party) => ({ ...party, withheld: false, seq: after }))];
  }

  /** Returns true if the account is told nothing when the inviter brings it into the chat. */
  keepsAway({ room }: ModelChat, inviter: number, account: number): boolean {
    if (account === inviter) return false;
    return room ? this.contacts.withheld(inviter, account) : this.contacts.blocks(account, inviter);
  }

  /** Ends the memberships of these accounts. */
  end(chat: ModelChat, accounts: readonly number[]): void {
    const before = this.boundary();
    for (const party of chat.parties.filter(({ account }) => accounts.includes(account))) {
      sideOf(chat, party.account).past.push({ after: party.seq, before });
      chat.personal.delete(party.account);
    }
    chat.parties = without(chat, accounts);
  }

  post(chat: ModelChat, message: Partial<ModelMessage> & { sender: number }, readers: readonly number[]): ModelMessage {
    this.#seq += 1;
    const stored: ModelMessage = { seq: this.#seq, chat, unsent: false, reactions: new Map(), ...message };
    chat.messages.push(stored);
    for (const reader of readers) this.#delivered[reader]?.push(stored);
    return stored;
  }

  /** Posts a system message to the members. */
  announce(chat: ModelChat, sender: number, key: string): void {
    this.post(chat, { sender, key }, toldMembers(chat));
  }
}

const pairOf = (a: number, b: number): string => [Math.min(a, b), Math.max(a, b)].join();
