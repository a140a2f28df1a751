// Everything that an account can do with contacts: find people, add them, and choose how this account sees them.
import {
  type BuddyDetail,
  type BuddyProfile,
  type Contact,
  contactSettings,
  contactTypes,
  type MethodResult,
} from '@sealpost/contract';
import { GatewayError } from '../gateway/errors.ts';
import { pagesOf } from '../gateway/pages.ts';
import type { ClientLimits } from '../replica/client-limits.ts';
import type { RpcClient } from '../rpc-client.ts';

/** The warning that a client should show before a profile. */
export type ProfileNotice = NonNullable<MethodResult<'RelationService.getTargetProfileNotice'>['notice']>;

export interface ContactsDeps {
  readonly rpc: RpcClient;
  limits(): Promise<ClientLimits>;
}

export class Contacts {
  readonly #deps: ContactsDeps;

  constructor(deps: ContactsDeps) {
    this.#deps = deps;
  }

  /**
   * Finds a user by the exact user id. Returns undefined if there is none, or if the user does not want to be found.
   */
  async findByUserid(userid: string): Promise<Contact | undefined> {
    try {
      return await this.#deps.rpc.TalkService.findContactByUserid(userid);
    } catch (error) {
      if (error instanceof GatewayError && error.error === 'NOT_FOUND') return undefined;
      throw error;
    }
  }

  /** Finds users by their exact phone numbers. Returns those that were found, by number. */
  async findByPhone(numbers: Iterable<string>): Promise<Map<string, Contact>> {
    const found = new Map<string, Contact>();
    for (const page of await this.#pages(numbers)) {
      const answer = await this.#deps.rpc.TalkService.findContactsByPhone(page);
      for (const [number, contact] of Object.entries(answer)) found.set(number, contact);
    }
    return found;
  }

  /** Returns the records of users, by mid. Users that the server does not know are left out. */
  async get(mids: Iterable<string>): Promise<Map<string, Contact>> {
    const found = new Map<string, Contact>();
    for (const targetUserMids of await this.#pages(mids)) {
      const { contacts } = await this.#deps.rpc.TalkService.getContactsV2({ targetUserMids });
      for (const [mid, { contact }] of Object.entries(contacts)) if (contact) found.set(mid, contact);
    }
    return found;
  }

  /** Returns the mids of all contacts. */
  mids(): Promise<string[]> {
    return this.#deps.rpc.TalkService.getAllContactIds();
  }

  /** Returns the mids of the blocked users. */
  blocked(): Promise<string[]> {
    return this.#deps.rpc.TalkService.getBlockedContactIds();
  }

  /** Returns the mids of the favourite contacts. */
  favorites(): Promise<string[]> {
    return this.#deps.rpc.TalkService.getFavoriteMids();
  }

  /** Adds a user to the contacts. */
  async add(mid: string): Promise<void> {
    const { RelationService, nextReqSeq } = this.#deps.rpc;
    await RelationService.addFriendByMid({ reqSeq: nextReqSeq(), userMid: mid });
  }

  /** Adds users to the contacts, and returns their records by mid. */
  async addAll(mids: Iterable<string>): Promise<Map<string, Contact>> {
    const added = new Map<string, Contact>();
    const { TalkService, nextReqSeq } = this.#deps.rpc;
    for (const page of await this.#pages(mids)) {
      const answer = await TalkService.findAndAddContactsByMid(nextReqSeq(), contactTypes.MID, page);
      for (const [mid, contact] of Object.entries(answer)) added.set(mid, contact);
    }
    return added;
  }

  /** Returns the users whom the server recommends: users who added this account or share a chat with it. */
  async recommendations(): Promise<Contact[]> {
    return [...(await this.get(await this.#deps.rpc.TalkService.getRecommendationIds())).values()];
  }

  /** Returns the users whom this account removed from the recommendations. */
  async blockedRecommendations(): Promise<Contact[]> {
    return [...(await this.get(await this.#deps.rpc.TalkService.getBlockedRecommendationIds())).values()];
  }

  /** Adds a recommended user to the contacts. */
  async acceptRecommendation(mid: string): Promise<void> {
    const { RelationService, nextReqSeq } = this.#deps.rpc;
    const tracking = { reference: '', trackingMetaV2: { friendRecommendation: {} } };
    await RelationService.addFriendByMid({ reqSeq: nextReqSeq(), userMid: mid, tracking });
  }

  /** Removes a user from the recommendations. */
  async blockRecommendation(mid: string): Promise<void> {
    await this.#deps.rpc.TalkService.blockRecommendation(this.#deps.rpc.nextReqSeq(), mid);
  }

  /** Blocks a user, whose messages no longer reach this account. */
  async block(mid: string): Promise<void> {
    await this.#deps.rpc.TalkService.blockContact(this.#deps.rpc.nextReqSeq(), mid);
  }

  async unblock(mid: string): Promise<void> {
    await this.#deps.rpc.TalkService.unblockContact(this.#deps.rpc.nextReqSeq(), mid, '');
  }

  /** Gives a contact another name, which only this account sees. An empty string restores the contact's own name. */
  rename(mid: string, name: string): Promise<void> {
    return this.#set(mid, 'CONTACT_SETTING_DISPLAY_NAME_OVERRIDE', name);
  }

  setFavorite(mid: string, favorite: boolean): Promise<void> {
    return this.#set(mid, 'CONTACT_SETTING_FAVORITE', String(favorite));
  }

  /** Turns notifications about messages of a contact off or on. */
  setMuted(mid: string, muted: boolean): Promise<void> {
    return this.#set(mid, 'CONTACT_SETTING_NOTIFICATION_DISABLE', String(muted));
  }

  /** Hides a contact from the list of contacts, or shows it again. */
  setHidden(mid: string, hidden: boolean): Promise<void> {
    return this.#set(mid, 'CONTACT_SETTING_CONTACT_HIDE', String(hidden));
  }

  /** Removes a user from the contacts. */
  remove(mid: string): Promise<void> {
    return this.#set(mid, 'CONTACT_SETTING_DELETE', String(true));
  }

  /** Returns the details of an official account. */
  official(mid: string): Promise<BuddyDetail> {
    return this.#deps.rpc.BuddyService.getBuddyDetail(mid);
  }

  /** Returns the name and picture of an official account. */
  officialProfile(mid: string): Promise<BuddyProfile> {
    return this.#deps.rpc.BuddyService.getBuddyProfile(mid);
  }

  /** Returns the warning to show before a user's profile; undefined if there is none. */
  async profileNotice(mid: string): Promise<ProfileNotice | undefined> {
    return (await this.#deps.rpc.RelationService.getTargetProfileNotice({ targetUserMid: mid })).notice;
  }

  async #set(mid: string, setting: keyof typeof contactSettings, value: string): Promise<void> {
    const { TalkService, nextReqSeq } = this.#deps.rpc;
    await TalkService.updateContactSetting(nextReqSeq(), mid, contactSettings[setting], value);
  }

  async #pages(ids: Iterable<string>): Promise<string[][]> {
    const all = [...ids];
    return all.length === 0 ? [] : pagesOf(all, (await this.#deps.limits()).midsPerCall);
  }
}
