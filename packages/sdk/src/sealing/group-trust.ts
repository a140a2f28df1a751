// What is known of the people in a group or room: whose keys were compared, and who made the key that all seal with.
import type { Trust } from '../trust/trust.ts';
import type { Keys } from './seal-plan.ts';

export interface GroupTrust {
  readonly chatMid: string;
  /** Undefined: the chat has no key yet, or goes in the clear; a message that is sealed makes one. */
  readonly key: { readonly groupKeyId: number; readonly creator: string } | undefined;
  /** The other members. `verified`: their number was compared, and no newer key of them is known. */
  readonly members: readonly { readonly mid: string; readonly verified: boolean }[];
  /** `verified` if all other members are. Whoever made the key has checked those of the others, not this device. */
  readonly state: 'verified' | 'unverified';
}

/** @throws KeyTrustError if the key of the chat is not to be sealed with */
export async function groupTrust({ groups, members, own }: Keys, trust: Trust, chatMid: string): Promise<GroupTrust> {
  const key = await groups.registered(chatMid);
  const others = [...(await members.of(chatMid))].filter((mid) => mid !== own.mid);
  const marked = await Promise.all(others.map(async (mid) => ({ mid, verified: await isVerified(trust, mid) })));
  const state = marked.length > 0 && marked.every(({ verified }) => verified) ? 'verified' : 'unverified';
  return { chatMid, key: key && { groupKeyId: key.groupKeyId, creator: key.creator }, members: marked, state };
}

async function isVerified(trust: Trust, mid: string): Promise<boolean> {
  const verified = await trust.verified(mid);
  if (!verified) return false;
  const newest = (await trust.knownKeys(mid)).at(-1);
  return newest === undefined || newest.keyId <= verified.keyId;
}
