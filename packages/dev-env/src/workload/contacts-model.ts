// The part of the model for relations between accounts: contacts, blocks, recommendations, profiles and settings.
import { contactRelations, contactSettings, contactStatus, profileAttributes } from '@sealpost/contract';
import type { Command, CommandOf, Outcome, Setting } from './commands.ts';

/** The account's settings about another account. */
interface Relation {
  added: boolean;
  addedByTime: number;
  deleted: boolean;
  blocked: boolean;
  recommendationBlocked: boolean;
  muted: boolean;
  hidden: boolean;
  favoriteTime: number;
  name: string;
}

export interface ContactView {
  readonly status: number;
  readonly relation: number;
  readonly settings: number;
  readonly nameOverride: string | undefined;
  readonly displayName: string;
  readonly statusMessage: string;
}

const DEFAULTS: Readonly<Record<Setting, boolean>> = {
  privacyReceiveMessagesFromNotFriend: true,
  privacySearchByUserid: true,
  notificationEnable: true,
  phoneRegistration: false,
};

interface Profile {
  displayName: string;
  statusMessage: string;
}

export class ContactsModel {
  readonly #relations = new Map<string, Relation>();
  readonly #profiles: Profile[];
  readonly #settings: Record<Setting, boolean>[];

  constructor(names: readonly string[]) {
    this.#profiles = names.map((displayName) => ({ displayName, statusMessage: '' }));
    this.#settings = names.map(() => ({ ...DEFAULTS }));
  }

  /**
   * Applies a command, and returns its expected outcome. Returns undefined if the command belongs to another part of
   * the model.
   */
  apply(command: Command, now: number): Outcome | undefined {
    const { by } = command;
    switch (command.do) {
      case 'add':
        if (command.users.includes(by)) return 'NOT_ALLOWED_ADD_CONTACT';
        this.#add(by, command.users, now);
        return 'ok';
      case 'addFriend':
        if (command.user === by) return 'REJECTED_TARGET_USER';
        this.#add(by, [command.user], now);
        return 'ok';
      case 'block':
      case 'unblock':
        if (command.user === by) return 'ILLEGAL_ARGUMENT';
        this.#relation(by, command.user).blocked = command.do === 'block';
        return 'ok';
      case 'blockRecommendation':
        if (command.user === by) return 'ILLEGAL_ARGUMENT';
        this.#relation(by, command.user).recommendationBlocked = true;
        return 'ok';
      case 'setContact':
        return this.#setContact(command, now);
      case 'findByUserid':
        return this.#settings[command.user]?.privacySearchByUserid ? 'ok' : 'NOT_FOUND';
      case 'setProfile':
        return this.#setProfile(command);
      case 'set':
        return this.#set(command);
      default:
        return undefined;
    }
  }

  /** Returns true if messages from the sender are not delivered to the recipient. */
  withheld(sender: number, recipient: number): boolean {
    const theirs = this.#relation(recipient, sender);
    return theirs.blocked || (!this.#settings[recipient]?.privacyReceiveMessagesFromNotFriend && !theirs.added);
  }

  blocks(owner: number, other: number): boolean {
    return this.#relation(owner, other).blocked;
  }

  contacts(owner: number): number[] {
    return this.#select(owner, (r) => r.added && !r.blocked);
  }

  blocked(owner: number): number[] {
    return this.#select(owner, (r) => r.blocked);
  }

  blockedRecommendations(owner: number): number[] {
    return this.#select(owner, (r) => r.recommendationBlocked && !r.added);
  }

  favorites(owner: number): number[] {
    const since = (other: number): number => this.#relation(owner, other).favoriteTime;
    const chosen = this.#select(owner, (r) => r.added && !r.blocked && r.favoriteTime > 0);
    return chosen.toSorted((a, b) => since(a) - since(b) || a - b);
  }

  /**
   * Returns the recommended accounts. First come the accounts that added the owner, the latest addition first. Then
   * come the accounts that share a chat with the owner.
   */
  recommendations(owner: number, sharing: readonly number[]): number[] {
    const open = this.#select(owner, (r) => !r.added && !r.blocked && !r.recommendationBlocked);
    const since = (other: number): number => this.#relation(owner, other).addedByTime;
    const addedBy = open.filter((other) => since(other) > 0);
    addedBy.sort((a, b) => since(b) - since(a) || a - b);
    return [...new Set([...addedBy, ...sharing.filter((other) => open.includes(other))])];
  }

  contact(owner: number, other: number): ContactView {
    const relation = this.#relation(owner, other);
    return {
      status: statusOf(relation),
      relation: relation.added && relation.addedByTime > 0 ? contactRelations.BOTH : contactRelations.ONEWAY,
      settings: maskOf(relation),
      nameOverride: relation.name || undefined,
      ...(this.#profiles[other] as Profile),
    };
  }

  settings(owner: number): Readonly<Record<Setting, boolean>> {
    return this.#settings[owner] ?? DEFAULTS;
  }

  #relation(owner: number, other: number): Relation {
    const key = `${owner} ${other}`;
    const found = this.#relations.get(key) ?? newRelation();
    this.#relations.set(key, found);
    return found;
  }

  #select(owner: number, test: (relation: Relation) => boolean): number[] {
    return this.#profiles.map((_, i) => i).filter((other) => test(this.#relation(owner, other)));
  }

  #add(by: number, users: readonly number[], now: number): void {
    for (const user of new Set(users)) {
      const own = this.#relation(by, user);
      if (own.added) continue;
      Object.assign(own, { added: true, deleted: false, recommendationBlocked: false });
      this.#relation(user, by).addedByTime = now;
    }
  }

  #setContact({ by, user, flag, value }: CommandOf<'setContact'>, now: number): Outcome {
    if (user === by) return 'ILLEGAL_ARGUMENT';
    const own = this.#relation(by, user);
    if (!own.added) return 'NOT_FOUND';
    if (flag === contactSettings.CONTACT_SETTING_DISPLAY_NAME_OVERRIDE) {
      own.name = value;
      return 'ok';
    }
    if (value !== 'true' && value !== 'false') return 'ILLEGAL_ARGUMENT';
    const on = value === 'true';
    if (flag === contactSettings.CONTACT_SETTING_NOTIFICATION_DISABLE) own.muted = on;
    if (flag === contactSettings.CONTACT_SETTING_CONTACT_HIDE) own.hidden = on;
    if (flag === contactSettings.CONTACT_SETTING_FAVORITE) own.favoriteTime = on ? own.favoriteTime || now : 0;
    if (flag === contactSettings.CONTACT_SETTING_DELETE) {
      if (!on) return 'ILLEGAL_ARGUMENT';
      Object.assign(own, { added: false, deleted: true, muted: false, hidden: false, favoriteTime: 0, name: '' });
      this.#relation(user, by).addedByTime = 0;
    }
    return 'ok';
  }

  #setProfile({ by, attribute, value }: CommandOf<'setProfile'>): Outcome {
    const profile = this.#profiles[by] as Profile;
    if (attribute === profileAttributes.DISPLAY_NAME) {
      if (value.trim() === '') return 'ILLEGAL_ARGUMENT';
      profile.displayName = value;
    } else profile.statusMessage = value;
    return 'ok';
  }

  #set({ by, setting, value }: CommandOf<'set'>): Outcome {
    if (setting === 'phoneRegistration') return 'FEATURE_RESTRICTED';
    (this.#settings[by] as Record<Setting, boolean>)[setting] = value;
    return 'ok';
  }
}

const newRelation = (): Relation => ({
  added: false,
  addedByTime: 0,
  deleted: false,
  blocked: false,
  recommendationBlocked: false,
  muted: false,
  hidden: false,
  favoriteTime: 0,
  name: '',
});

function statusOf(relation: Relation): number {
  if (relation.added) return relation.blocked ? contactStatus.FRIEND_BLOCKED : contactStatus.FRIEND;
  if (relation.blocked) return contactStatus.DELETED_BLOCKED;
  if (relation.recommendationBlocked) return contactStatus.RECOMMEND_BLOCKED;
  if (relation.deleted) return contactStatus.DELETED;
  return relation.addedByTime > 0 ? contactStatus.RECOMMEND : contactStatus.UNSPECIFIED;
}

const maskOf = (relation: Relation): number =>
  (relation.muted ? contactSettings.CONTACT_SETTING_NOTIFICATION_DISABLE : 0) |
  (relation.name ? contactSettings.CONTACT_SETTING_DISPLAY_NAME_OVERRIDE : 0) |
  (relation.hidden ? contactSettings.CONTACT_SETTING_CONTACT_HIDE : 0) |
  (relation.favoriteTime > 0 ? contactSettings.CONTACT_SETTING_FAVORITE : 0) |
  (relation.deleted ? contactSettings.CONTACT_SETTING_DELETE : 0);
