// The fields of Settings, each with its kind and the name of its attribute. No schema is imported here, so that
// browsers can load this module.
import type { settingsAttributes } from './settings-attributes.ts';

export type SettingsAttributeName = keyof typeof settingsAttributes;
/**
 * The kind of a field. `flagOrTime` is a boolean, or the time until which the setting is true. The server stores and
 * returns such a value unchanged.
 */
export type SettingsKind = 'flag' | 'time' | 'text' | 'number' | 'map' | 'flagOrTime';

export interface SettingsField<K extends SettingsKind = SettingsKind> {
  readonly attribute: SettingsAttributeName;
  readonly kind: K;
}

const field =
  <K extends SettingsKind>(kind: K) =>
  (attribute: SettingsAttributeName): SettingsField<K> => ({ attribute, kind });
const flag = field('flag');
const time = field('time');
const text = field('text');
const number = field('number');
const map = field('map');

/** Maps each field of the Settings struct to the attribute that selects it. */
export const settingsFields = {
  notificationEnable: flag('NOTIFICATION_ENABLE'),
  notificationMuteExpiration: time('NOTIFICATION_MUTE_EXPIRATION'),
  notificationNewMessage: flag('NOTIFICATION_NEW_MESSAGE'),
  notificationGroupInvitation: flag('NOTIFICATION_GROUP_INVITATION'),
  notificationShowMessage: flag('NOTIFICATION_SHOW_MESSAGE'),
  notificationIncomingCall: flag('NOTIFICATION_INCOMING_CALL'),
  notificationSoundMessage: text('NOTIFICATION_SOUND_MESSAGE'),
  notificationSoundGroup: text('NOTIFICATION_SOUND_GROUP'),
  notificationDisabledWithSub: field('flagOrTime')('NOTIFICATION_DISABLED_WITH_SUB'),
  notificationPayment: flag('NOTIFICATION_PAYMENT'),
  notificationMention: flag('NOTIFICATION_MENTION'),
  notificationThumbnail: flag('NOTIFICATION_THUMBNAIL'),
  notificationBadgeTalkOnly: flag('NOTIFICATION_BADGE_TALK_ONLY'),
  notificationReaction: flag('NOTIFICATION_REACTION'),
  notificationShowProfileImage: flag('NOTIFICATION_SHOW_PROFILE_IMAGE'),
  homeNotificationNewFriend: flag('HOME_NOTIFICATION_NEW_FRIEND'),
  homeNotificationFavoriteFriendUpdate: flag('HOME_NOTIFICATION_FAVORITE_FRIEND_UPDATE'),
  homeNotificationGroupMemberUpdate: flag('HOME_NOTIFICATION_GROUP_MEMBER_UPDATE'),
  homeNotificationBirthday: flag('HOME_NOTIFICATION_BIRTHDAY'),
  privacySyncContacts: flag('PRIVACY_SYNC_CONTACTS'),
  privacySearchByPhoneNumber: flag('PRIVACY_SEARCH_BY_PHONE_NUMBER'),
  privacySearchByUserid: flag('PRIVACY_SEARCH_BY_USERID'),
  privacySearchByEmail: flag('PRIVACY_SEARCH_BY_EMAIL'),
  privacyAllowSecondaryDeviceLogin: flag('PRIVACY_ALLOW_SECONDARY_DEVICE_LOGIN'),
  privacyProfileImagePostToMyhome: flag('PRIVACY_PROFILE_IMAGE_POST_TO_MYHOME'),
  privacyReceiveMessagesFromNotFriend: flag('PRIVACY_RECV_MESSAGES_FROM_NOT_FRIEND'),
  privacyAgreeUsePaidCall: flag('PRIVACY_AGREE_USE_PAIDCALL'),
  privacyAllowFriendRequest: flag('PRIVACY_ALLOW_FRIEND_REQUEST'),
  privacyProfileMusicPostToMyhome: flag('PRIVACY_PROFILE_MUSIC_POST_TO_MYHOME'),
  privacyAllowNearby: flag('PRIVACY_ALLOW_NEARBY'),
  privacyAllowFollow: flag('PRIVACY_ALLOW_FOLLOW'),
  privacyShowFollowList: flag('PRIVACY_SHOW_FOLLOW_LIST'),
  privacySharePersonalInfoToFriends: number('PRIVACY_SHARE_PERSONAL_INFO_TO_FRIENDS'),
  privacyStatusMessageHistory: number('PRIVACY_STATUS_MESSAGE_HISTORY'),
  privacyAllowProfileHistory: number('PRIVACY_PROFILE_HISTORY'),
  privacyAgeResult: number('PRIVACY_AGE_RESULT'),
  privacyAgeResultReceived: flag('PRIVACY_AGE_RESULT_RECEIVED'),
  privacyPolicyVersion: text('AGREEMENT_PRIVACY_POLICY_VERSION'),
  contactMyTicket: text('CONTACT_MY_TICKET'),
  identityProvider: number('IDENTITY_PROVIDER'),
  identityIdentifier: text('IDENTITY_IDENTIFIER'),
  preferenceLocale: text('PREFERENCE_LOCALE'),
  securityCenterSettingsType: number('SECURITY_CENTER_SETTINGS'),
  snsAccounts: map('SNS_ACCOUNT'),
  phoneRegistration: flag('PHONE_REGISTRATION'),
  customModes: map('CUSTOM_MODE'),
  emailConfirmationStatus: number('EMAIL_CONFIRMATION_STATUS'),
  accountMigrationPincodeType: number('ACCOUNT_MIGRATION_PINCODE'),
  enforcedInputAccountMigrationPincode: flag('ENFORCED_INPUT_ACCOUNT_MIGRATION_PINCODE'),
  pwlessPrimaryCredentialRegistration: flag('PWLESS_PRIMARY_CREDENTIAL_REGISTRATION'),
  eapAllowedToConnect: map('ALLOWED_TO_CONNECT_EAP_ACCOUNT'),
  eapOnlyAccountTargetCountry: flag('EAP_ONLY_ACCOUNT_TARGET_COUNTRY'),
  allowUnregistrationSecondaryDevice: flag('ALLOW_UNREGISTRATION_SECONDARY_DEVICE'),
  e2eeEnable: flag('E2EE_ENABLE'),
  agreementNearbyTime: time('AGREEMENT_NEARBY'),
  agreementSquareTime: time('AGREEMENT_SQUARE'),
  botUseAgreementAcceptedAt: time('AGREEMENT_BOT_USE'),
  agreementShakeFunction: time('AGREEMENT_SHAKE_FUNCTION'),
  agreementMobileContactName: time('AGREEMENT_MOBILE_CONTACT_NAME'),
  agreementSoundToText: time('AGREEMENT_SOUND_TO_TEXT'),
  agreementAdByWebAccess: time('AGREEMENT_AD_BY_WEB_ACCESS'),
  agreementPhoneNumberMatching: time('AGREEMENT_PHONE_NUMBER_MATCHING'),
  agreementCommunicationInfo: time('AGREEMENT_COMMUNICATION_INFO'),
  agreementThingsWirelessCommunication: time('AGREEMENT_THINGS_WIRELESS_COMMUNICATION'),
  agreementGdpr: time('AGREEMENT_GDPR'),
  agreementProvideLocation: time('AGREEMENT_PROVIDE_LOCATION'),
  agreementLocationVersion: text('AGREEMENT_LOCATION_VERSION'),
  agreementBeacon: time('AGREEMENT_BEACON'),
  agreementContentsSuggest: time('AGREEMENT_CONTENTS_SUGGEST'),
  agreementContentsSuggestDataCollection: time('AGREEMENT_CONTENTS_SUGGEST_DATA_COLLECTION'),
  agreementOcrImageCollection: time('AGREEMENT_OCR_IMAGE_COLLECTION'),
  agreementIcna: time('AGREEMENT_ICNA'),
  agreementMid: time('AGREEMENT_MID'),
  agreementPdpa: time('AGREEMENT_PDPA'),
  agreementAlbumUsageData: time('AGREEMENT_ALBUM_USAGE_DATA'),
  agreementAlbumUsageDataVersion: time('AGREEMENT_ALBUM_USAGE_DATA_VERSION'),
  agreementOaAiAssistant: time('AGREEMENT_OA_AI_ASSISTANT'),
  agreementOaAiAssistantVersion: time('AGREEMENT_OA_AI_ASSISTANT_VERSION'),
} as const satisfies Record<string, SettingsField>;

export type SettingsFieldName = keyof typeof settingsFields;
