// The members of a group or room. The list comes only from getChats, chat by chat. Every client shows that list to its
// users, so the server cannot add anybody without their noticing.

import type { Clock } from '@sealpost/contract/ports';
import type { BaseClient } from '../base-client.ts';
import { expiringCache } from './expiring-cache.ts';

export interface ChatMembers {
  /** Returns the mids of the members; empty if this account is not one of them. */
  of(chatMid: string): Promise<ReadonlySet<string>>;
  forget(chatMid: string): void;
  forgetAll(): void;
}

const MEMBERS_MS = 6 * 60 * 60_000;

export function createChatMembers({ TalkService: talk }: BaseClient, mid: string, clock: Clock): ChatMembers {
  const asked = expiringCache<ReadonlySet<string>>(clock);

  async function ask(chatMid: string): Promise<ReadonlySet<string>> {
    const { chats } = await talk.getChats({ chatMids: [chatMid], withMembers: true, withInvitees: false });
    const chat = chats.find((candidate) => candidate.chatMid === chatMid);
    const members = new Set(chat?.extra?.groupExtra?.memberMids ?? []);
    return members.has(mid) ? members : new Set();
  }

  return {
    of: (chatMid) => asked.get(chatMid, async () => ({ value: await ask(chatMid), forMs: MEMBERS_MS })),
    forget: (chatMid) => asked.forget(chatMid),
    forgetAll: () => asked.forgetAll(),
  };
}
