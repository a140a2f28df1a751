// The default values of settings. A default applies until the account changes the setting.
import {
  ageCheckResults,
  emailConfirmationStatus,
  identityProviders,
  personalInfoSharing,
  pincodeTypes,
  profileHistory,
  type Settings,
  type SettingsFieldName,
  settingsFields,
  statusMessageHistory,
} from '@sealpost/contract';
import type { SettingsRow } from './queries.ts';

/** Flags that are on by default; all other flags are off. */
const ON = new Set<SettingsFieldName>([
  'notificationEnable',
  'notificationNewMessage',
  'notificationGroupInvitation',
  'notificationShowMessage',
  'notificationIncomingCall',
  'notificationPayment',
  'notificationMention',
  'notificationThumbnail',
  'notificationReaction',
  'notificationShowProfileImage',
  'homeNotificationNewFriend',
  'homeNotificationFavoriteFriendUpdate',
  'homeNotificationGroupMemberUpdate',
  'homeNotificationBirthday',
  'privacySearchByPhoneNumber',
  'privacySearchByUserid',
  'privacySearchByEmail',
  'privacyAllowSecondaryDeviceLogin',
  'privacyReceiveMessagesFromNotFriend',
  'privacyAllowFriendRequest',
  'allowUnregistrationSecondaryDevice',
  'e2eeEnable',
]);

/**
 * Returns the defaults of flags and times. Texts and maps have no defaults: they are absent until an account sets them.
 */
function defaultsByKind(): Settings {
  const values: Record<string, unknown> = {};
  for (const [name, { kind }] of Object.entries(settingsFields)) {
    if (kind === 'flag') values[name] = ON.has(name as SettingsFieldName);
    if (kind === 'time') values[name] = '0';
  }
  return values as Settings;
}

const defaults: Settings = {
  ...defaultsByKind(),
  notificationDisabledWithSub: 0,
  privacySharePersonalInfoToFriends: personalInfoSharing.NEVER_SHOW,
  privacyStatusMessageHistory: statusMessageHistory.NONE,
  privacyAllowProfileHistory: profileHistory.OWNER,
  privacyAgeResult: ageCheckResults.UNDEFINED,
  identityProvider: identityProviders.SVC,
  securityCenterSettingsType: pincodeTypes.NOT_APPLICABLE,
  accountMigrationPincodeType: pincodeTypes.NOT_APPLICABLE,
};

/** Fields whose values follow from the account, such as its e-mail address. Clients cannot set these fields. */
export const READ_ONLY: ReadonlySet<SettingsFieldName> = new Set([
  'identityProvider',
  'identityIdentifier',
  'phoneRegistration',
  'emailConfirmationStatus',
]);

/**
 * Settings that are stored in separate columns, because calls of other accounts query them. Each column stores the
 * opposite of its setting.
 */
export const COLUMNS = {
  privacyReceiveMessagesFromNotFriend: 'refuse_strangers',
  privacySearchByPhoneNumber: 'hide_phone',
  privacySearchByUserid: 'hide_userid',
  privacySearchByEmail: 'hide_email',
  privacyAllowFriendRequest: 'refuse_friend_requests',
  privacyAllowSecondaryDeviceLogin: 'refuse_devices',
  e2eeEnable: 'sealing_off',
} as const satisfies Partial<Record<SettingsFieldName, keyof SettingsRow>>;

/**
 * Returns all settings of an account: the defaults, the account's changes, and the values that follow from its other
 * data.
 */
export function settingsFrom(row: SettingsRow): Settings {
  const settings: Settings = { ...defaults, ...(JSON.parse(row.changed) as Settings) };
  for (const [name, column] of Object.entries(COLUMNS)) {
    settings[name as keyof typeof COLUMNS] = row[column] === 0;
  }
  settings.phoneRegistration = row.phone !== null;
  settings.emailConfirmationStatus =
    row.email === null ? emailConfirmationStatus.NOT_SPECIFIED : emailConfirmationStatus.DONE;
  if (row.email !== null) settings.identityIdentifier = row.email;
  return settings;
}
