import { ApiError, type Limits, type Profile, profileAttributes, type Settings } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { profile } from '@sealpost/contract/schemas';
import type { Mutations } from '../../platform/idempotency/mutations.ts';
import type { Handlers, UserCall } from '../../platform/rpc/call.ts';
import type { RemovePicture } from '../../platform/rpc/picture-path.ts';
import { RateExceeded } from '../../platform/rpc/rate-exceeded.ts';
import type { RateLimits } from '../../platform/rpc/rate-limit.ts';
import type { Reader, Store } from '../../platform/store/store.ts';
import { configurationsFrom } from './configurations.ts';
import { type ProfileRow, profileOf, type SettingsRow, settingsOfAccount } from './queries.ts';
import { settingsFrom } from './settings-defaults.ts';
import { sharedFields } from './stored-profile.ts';
import { type ProfileChangeDeps, updateProfile } from './update-profile.ts';
import { selectedSettings, type UpdateSettingsDeps, updateSettings } from './update-settings.ts';

export interface ProfileDeps extends UpdateSettingsDeps, ProfileChangeDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly mutations: Mutations;
  readonly rates: RateLimits;
  readonly limits: Limits;
  readonly removePicture: RemovePicture;
}

export function profileHandlers(
  deps: ProfileDeps,
): Handlers<Exclude<keyof typeof profile, 'TalkService.reportAbuseEx'>> {
  const { store, mutations, clock } = deps;
  const configurations = configurationsFrom(deps.limits);

  return {
    'TalkService.getProfile': async ({ caller }) =>
      profileFrom(found(await store.read((reader) => reader.one(profileOf, caller.accountId)))),
    'TalkService.updateProfileAttributes': (call, reqSeq, { profileAttributes: updates }) => {
      requireIdentifierChange(deps.rates, call, updates);
      return mutations.mutate(call, reqSeq, async (tx) => {
        await updateProfile(tx, deps, call, reqSeq, updates);
        return null;
      });
    },
    'TalkService.getSettings': ({ caller }) => store.read((reader) => settingsOf(reader, caller.accountId)),
    'TalkService.updateSettingsAttributes2': (call, reqSeq, attributes, settings) =>
      mutations.mutate(call, reqSeq, async (tx) => {
        await updateSettings(tx, deps, call, reqSeq, attributes, settings);
        return null;
      }),
    'TalkService.getSettingsAttributes2': async ({ caller }, attributes) =>
      selectedSettings(await store.read((reader) => settingsRow(reader, caller.accountId)), attributes),
    'TalkService.getConfigurations': () => configurations,
    'TalkService.getServerTime': () => String(clock.now()),
  };
}

const EMAIL = String(profileAttributes.EMAIL);

/**
 * Counts a new e-mail address against the limit on changes of names. The answer reveals whether some account has the
 * address. Without this limit, anybody could test many addresses.
 */
function requireIdentifierChange(
  rates: RateLimits,
  { caller }: UserCall,
  updates: Readonly<Record<string, { readonly value: string }>>,
): void {
  if (!updates[EMAIL]?.value) return;
  const taken = rates.take('identifier', caller.accountId);
  if (!taken.ok) throw new RateExceeded('too many changes of the e-mail address', taken.retryAfterMs);
}

/** Returns all settings of an account, defaults included. */
export async function settingsOf(reader: Reader, accountId: number): Promise<Settings> {
  return settingsFrom(await settingsRow(reader, accountId));
}

const settingsRow = async (reader: Reader, accountId: number): Promise<SettingsRow> =>
  found(await reader.one(settingsOfAccount, accountId));

function profileFrom(row: ProfileRow): Profile {
  const profile: Profile = {
    mid: row.mid,
    regionCode: row.region_code,
    displayName: row.display_name,
    statusMessage: row.status_message,
    allowSearchByUserid: row.hide_userid === 0,
    allowSearchByEmail: row.hide_email === 0,
    ...sharedFields(row.extra),
    profileType: 0,
    nftProfile: false,
    createdTimeMillis: String(row.created_time),
  };
  if (row.userid !== null) profile.userid = row.userid;
  if (row.phone !== null) profile.phone = row.phone;
  if (row.email !== null) profile.email = row.email;
  if (row.picture_path !== '') profile.picturePath = row.picture_path;
  return profile;
}

/**
 * Returns the row.
 * @throws SESSION_LOGGED_OUT if the row is missing. The session was valid before the call, so the account was deleted
 * since.
 */
function found<T>(row: T | undefined): T {
  if (row === undefined) throw new ApiError('SESSION_LOGGED_OUT');
  return row;
}
