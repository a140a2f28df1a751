// Reports what this device knows about the members of a group or room: whose keys were compared, and who made the group
// key.
import type { Trust } from '../trust/trust.ts';
import type { Keys } from './seal-plan.ts';

export interface GroupTrust {
  readonly chatMid: string;
  /**
   * The key that members seal with; undefined if messages to the chat are not sealed, or the chat has no key yet. If it
   * has none, the client makes a key when it seals the next message.
   */
  readonly key: { readonly groupKeyId: number; readonly creator: string } | undefined;
  /**
   * The other members. `verified`: the member's safety number was compared, and no other key of the member is known since.
   */
  readonly members: readonly { readonly mid: string; readonly verified: boolean }[];
  /**
   * `verified` if all other members are verified. Even then, this device did not check for whose keys the group key was
   * wrapped. Only the creator of the group key did.
   */
  readonly state: 'verified' | 'unverified';
}

/**
 * Returns what this device knows about a chat's members and key.
 * @throws KeyTrustError if the chat's key must not be used for sealing
 */
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
  return newest === undefined || newest.keyData === verified.keyData;
}
