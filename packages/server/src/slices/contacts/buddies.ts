// Official accounts, and the warning that a client shows before a stranger's profile.
import {
  ApiError,
  type BuddyDetail,
  type BuddyProfile,
  botActiveStatus,
  botTypes,
  contentTypes,
} from '@sealpost/contract';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Reader } from '../../platform/store/store.ts';
import { contactsByMid } from './contact-record.ts';
import type { FollowerCounts } from './follower-counts.ts';
import { type AccountRow, accountById } from './queries.ts';
import { requireUsers } from './require-users.ts';
import { relationsOf } from './stored-relations.ts';

/** Content types that users may send to an official account. */
const acceptable = [
  contentTypes.NONE,
  contentTypes.IMAGE,
  contentTypes.VIDEO,
  contentTypes.AUDIO,
  contentTypes.STICKER,
  contentTypes.CONTACT,
  contentTypes.FILE,
  contentTypes.LOCATION,
];

async function requireOfficial(reader: Reader, mid: string): Promise<AccountRow> {
  const [account] = await requireUsers(reader, 'buddyMid', [mid]);
  if (account?.kind !== 'official') throw new ApiError('NOT_FOUND', `buddyMid: there is no official account ${mid}`);
  return account;
}

export async function buddyDetail(reader: Reader, countFollowers: FollowerCounts, mid: string): Promise<BuddyDetail> {
  const account = await requireOfficial(reader, mid);
  const members = await countFollowers(reader, account.id);
  return {
    mid,
    memberCount: String(members),
    onAir: false,
    businessAccount: true,
    addable: true,
    acceptableContentTypes: acceptable,
    capableMyhome: false,
    freePhoneCallable: false,
    needPermissionApproval: false,
    botType: botTypes.OFFICIAL,
    showRichMenu: false,
    useTheme: false,
    useBar: false,
    useBackground: false,
    statusBarEnabled: false,
    ...(account.userid === null ? {} : { searchId: account.userid }),
    blockable: true,
    botActiveStatus: account.disabled === 1 ? botActiveStatus.INACTIVE : botActiveStatus.ACTIVE,
    membershipEnabled: false,
    legalCountryCode: account.region_code,
    region: account.region_code,
    aiChatBot: false,
    supportSpeechToText: false,
  };
}

export async function buddyProfile(reader: Reader, { caller }: UserCall, mid: string): Promise<BuddyProfile> {
  await requireOfficial(reader, mid);
  const contact = (await contactsByMid(reader, caller.accountId, [mid])).get(mid);
  if (!contact) throw new ApiError('NOT_FOUND', `buddyMid: there is no official account ${mid}`);
  const { displayName, picturePath } = contact;
  return { buddyMid: mid, displayName, ...(picturePath === undefined ? {} : { picturePath }) };
}

/** Returns whether the user is a stranger from another region than the caller. Clients warn about such a stranger. */
export async function targetProfileNotice(reader: Reader, { caller }: UserCall, mid: string) {
  const [target] = await requireUsers(reader, 'request.targetUserMid', [mid]).catch((error: unknown) => {
    throw error instanceof ApiError ? new ApiError('REJECTED_TARGET_USER', error.reason) : error;
  });
  const self = await reader.one(accountById, caller.accountId);
  if (!target || !self) throw new ApiError('REJECTED_TARGET_USER');
  const relation = (await relationsOf(reader, [[self.id, target.id]])).get(self.id, target.id);
  const stranger = target.id !== self.id && relation.added === 0;
  return { notice: { noticeAntiFraudDifferentRegion: stranger && target.region_code !== self.region_code } };
}
