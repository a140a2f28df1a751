// Numeric enumerations of the wire (specification: Enumerations).

export const midTypes = {
  USER: 0,
  ROOM: 1,
  GROUP: 2,
  SQUARE: 3,
  SQUARE_CHAT: 4,
  SQUARE_MEMBER: 5,
  BOT: 6,
  SQUARE_THREAD: 7,
} as const;

export const contentTypes = {
  NONE: 0,
  IMAGE: 1,
  VIDEO: 2,
  AUDIO: 3,
  HTML: 4,
  PDF: 5,
  CALL: 6,
  STICKER: 7,
  PRESENCE: 8,
  GIFT: 9,
  GROUPBOARD: 10,
  APPLINK: 11,
  LINK: 12,
  CONTACT: 13,
  FILE: 14,
  LOCATION: 15,
  POSTNOTIFICATION: 16,
  RICH: 17,
  CHATEVENT: 18,
  MUSIC: 19,
  PAYMENT: 20,
  EXTIMAGE: 21,
  FLEX: 22,
} as const;

export const messageRelationTypes = { FORWARD: 0, AUTO_REPLY: 1, SUBORDINATE: 2, REPLY: 3 } as const;
export const serviceCodes = { UNKNOWN: 0, TALK: 1, SQUARE: 2 } as const;
export const predefinedReactionTypes = { NICE: 2, LOVE: 3, FUN: 4, AMAZING: 5, SAD: 6, OMG: 7 } as const;
export const syncReasons = {
  UNSPECIFIED: 0,
  UNKNOWN: 1,
  INITIALIZATION: 2,
  OPERATION: 3,
  FULL_SYNC: 4,
  AUTO_REPAIR: 5,
  MANUAL_REPAIR: 6,
  INTERNAL: 7,
  USER_INITIATED: 8,
  PREMIUM_BACKUP_RESTORE: 9,
} as const;
export const operationStatus = { NORMAL: 0, ALERT_DISABLED: 1, ALWAYS: 2 } as const;
export const syncTriggerReasons = {
  UNKNOWN: 0,
  REVISION_GAP_TOO_LARGE_CLIENT: 1,
  REVISION_GAP_TOO_LARGE_SERVER: 2,
  OPERATION_EXPIRED: 3,
  REVISION_HOLE: 4,
  FORCE_TRIGGERED: 5,
} as const;
export const mediaMessageFlows = { V1: 1, V2: 2 } as const;

// Enumerations that concern the login.
export const identityProviders = { UNKNOWN: 0, SVC: 1, EXTERNAL_KR: 2, SVC_PHONE: 3 } as const;
export const loginTypes = { ID_CREDENTIAL: 0, QRCODE: 1, ID_CREDENTIAL_WITH_E2EE: 2 } as const;
export const loginResultTypes = {
  SUCCESS: 1,
  REQUIRE_QRCODE: 2,
  REQUIRE_DEVICE_CONFIRM: 3,
  REQUIRE_SMS_CONFIRM: 4,
} as const;
export const featureTypes = { OBS_VIDEO: 1, OBS_GENERAL: 2, OBS_RINGBACK_TONE: 3 } as const;
export const refreshErrorCodes = { INVALID_REQUEST: 1000, RETRY_REQUIRED: 1001 } as const;
export const secondaryQrCodeErrorCodes = {
  INTERNAL_ERROR: 0,
  ILLEGAL_ARGUMENT: 1,
  VERIFICATION_FAILED: 2,
  NOT_ALLOWED_QR_CODE_LOGIN: 3,
  VERIFICATION_NOTICE_FAILED: 4,
  RETRY_LATER: 5,
  INVALID_CONTEXT: 100,
  APP_UPGRADE_REQUIRED: 101,
} as const;

// Enumerations that concern contacts.
export const contactSettings = {
  CONTACT_SETTING_NOTIFICATION_DISABLE: 1,
  CONTACT_SETTING_DISPLAY_NAME_OVERRIDE: 2,
  CONTACT_SETTING_CONTACT_HIDE: 4,
  CONTACT_SETTING_FAVORITE: 8,
  CONTACT_SETTING_DELETE: 16,
  CONTACT_SETTING_FRIEND_RINGTONE: 32,
  CONTACT_SETTING_FRIEND_RINGBACK_TONE: 64,
} as const;
export const contactStatus = {
  UNSPECIFIED: 0,
  FRIEND: 1,
  FRIEND_BLOCKED: 2,
  RECOMMEND: 3,
  RECOMMEND_BLOCKED: 4,
  DELETED: 5,
  DELETED_BLOCKED: 6,
} as const;
export const contactRelations = { ONEWAY: 0, BOTH: 1, NOT_REGISTERED: 2 } as const;
export const contactTypes = {
  MID: 0,
  PHONE: 1,
  EMAIL: 2,
  USERID: 3,
  PROXIMITY: 4,
  GROUP: 5,
  USER: 6,
  QRCODE: 7,
  PROMOTION_BOT: 8,
  CONTACT_MESSAGE: 9,
  FRIEND_REQUEST: 10,
  BEACON: 11,
  REPAIR: 128,
  EXTERNAL_1: 2305,
  EXTERNAL_2: 2306,
  EXTERNAL_3: 2307,
  EXTERNAL_4: 2308,
  EXTERNAL_5: 2309,
} as const;
export const userStatus = { NORMAL: 0, UNBOUND: 1, UNREGISTERED: 2, UNKNOWN: 3 } as const;
export const friendRequestStatus = { NONE: 0, AVAILABLE: 1, ALREADY_REQUESTED: 2, UNAVAILABLE: 3 } as const;
/** The bits of `Contact.attributes`. */
export const contactAttributes = { OFFICIAL_ACCOUNT: 32 } as const;
export const calendarEventTypes = { BIRTHDAY: 0 } as const;
export const calendarEventStates = { SHOW: 0, HIDE: 1 } as const;
export const rejectionReasons = {
  UNKNOWN: 0,
  INVALID_TARGET_USER: 1,
  AGE_VALIDATION: 2,
  TOO_MANY_FRIENDS: 3,
  TOO_MANY_REQUESTS: 4,
  MALFORMED_REQUEST: 5,
} as const;

// Enumerations of official accounts.
export const botTypes = { RESERVED: 0, OFFICIAL: 1, SMALL_BUSINESS: 2, SMALL_BUSINESS_VERIFIED: 3 } as const;
export const botActiveStatus = { UNSPECIFIED: 0, INACTIVE: 1, ACTIVE: 2, DELETED: 3 } as const;
export const onAirLabels = { ON_AIR: 0, LIVE: 1, GLP: 2 } as const;

// Enumerations of chats.
export const chatTypes = { GROUP: 0, ROOM: 1, PEER: 2 } as const;
/** The bits of `updatedAttribute` of updateChat. */
export const updateChatAttributes = {
  NAME: 1,
  PICTURE_STATUS: 2,
  PREVENTED_JOIN_BY_TICKET: 4,
  NOTIFICATION_SETTING: 8,
  INVITATION_TICKET: 16,
  FAVORITE_TIMESTAMP: 32,
  CHAT_TYPE: 64,
} as const;

// Enumerations of profile and settings.
/** The attributes of a profile. The numbers are bits, and also the keys of the field `profileAttributes`. */
export const profileAttributes = {
  EMAIL: 1,
  DISPLAY_NAME: 2,
  PHONETIC_NAME: 4,
  PICTURE: 8,
  STATUS_MESSAGE: 16,
  ALLOW_SEARCH_BY_USERID: 32,
  ALLOW_SEARCH_BY_EMAIL: 64,
  BUDDY_STATUS: 128,
  MUSIC_PROFILE: 256,
  AVATAR_PROFILE: 512,
  ALL: 2147483647,
} as const;
export const pictureSources = { NFT: 1, AVATAR: 2, PARTNER_1: 3, PARTNER_2: 4 } as const;
export const ageCheckResults = { OVER: 1, UNDER: 2, UNDEFINED: 3 } as const;
export const emailConfirmationStatus = { NOT_SPECIFIED: 0, NOT_YET: 1, DONE: 3, NEED_ENFORCED_INPUT: 4 } as const;
/** The values of accountMigrationPincodeType and securityCenterSettingsType. */
export const pincodeTypes = { NOT_APPLICABLE: 0, NOT_SET: 1, SET: 2, NEED_ENFORCED_INPUT: 3 } as const;
export const personalInfoSharing = { NEVER_SHOW: 0, ONE_WAY: 1, MUTUAL: 2 } as const;
export const statusMessageHistory = { NONE: 1, ALL: 2 } as const;
export const profileHistory = { OWNER: 0, FRIEND: 1 } as const;

// Enumerations of reports.
export const reportSources = {
  UNKNOWN: 0,
  DIRECT_INVITATION: 1,
  DIRECT_CHAT: 2,
  GROUP_INVITATION: 3,
  GROUP_CHAT: 4,
  ROOM_INVITATION: 5,
  ROOM_CHAT: 6,
  FRIEND_PROFILE: 7,
  DIRECT_CHAT_SELECTED: 8,
  GROUP_CHAT_SELECTED: 9,
  ROOM_CHAT_SELECTED: 10,
  DEPRECATED: 11,
} as const;
export const spammerReasons = {
  OTHER: 0,
  ADVERTISING: 1,
  GENDER_HARASSMENT: 2,
  HARASSMENT: 3,
  IMPERSONATION: 4,
  SCAM: 5,
} as const;
/**
 * The kinds of clients. Each number means a released client; the next three numbers mean its release candidate, its
 * beta and its alpha.
 */
export const applicationTypes = {
  IOS: 16,
  ANDROID: 32,
  DESKTOPWIN: 96,
  DESKTOPMAC: 112,
  IOSIPAD: 304,
  CHROMEOS: 368,
  ANDROIDLITE: 384,
  WATCHOS: 496,
  ANDROIDSECONDARY: 528,
  WEAROS: 544,
} as const;

// Enumerations of channels and the shop.
export const channelErrorCodes = {
  ILLEGAL_ARGUMENT: 0,
  INTERNAL_ERROR: 1,
  CONNECTION_ERROR: 2,
  AUTHENTICATION_FAILED: 3,
  NEED_PERMISSION_APPROVAL: 4,
  COIN_NOT_USABLE: 5,
  WEBVIEW_NOT_ALLOWED: 6,
} as const;
export const shopErrorCodes = {
  UNKNOWN: 0,
  NONE: 1,
  ILLEGAL_ARGUMENT: 16641,
  NOT_FOUND: 16642,
  NOT_AVAILABLE: 16643,
  NOT_PAID_PRODUCT: 16644,
  NOT_FREE_PRODUCT: 16645,
  ALREADY_OWNED: 16646,
  ERROR_WITH_CUSTOM_MESSAGE: 16647,
  NOT_AVAILABLE_TO_RECIPIENT: 16648,
  NOT_AVAILABLE_FOR_CHANNEL_ID: 16649,
  NOT_SALE_FOR_COUNTRY: 16650,
  NOT_SALES_PERIOD: 16651,
  NOT_SALE_FOR_DEVICE: 16652,
  NOT_SALE_FOR_VERSION: 16653,
  ALREADY_EXPIRED: 16654,
  LIMIT_EXCEEDED: 16655,
  MISSING_CAPABILITY: 16656,
  AUTHENTICATION_FAILED: 16897,
  BALANCE_SHORTAGE: 17153,
  INTERNAL_SERVER_ERROR: 20737,
  SERVICE_IN_MAINTENANCE_MODE: 20738,
  SERVICE_UNAVAILABLE: 20739,
} as const;
export const productTypes = { STICKER: 1, THEME: 2, STICON: 3 } as const;
export const productAvailability = { PURCHASE_ONLY: 0, PURCHASE_OR_SUBSCRIPTION: 1, SUBSCRIPTION_ONLY: 2 } as const;
export const stickerResourceTypes = {
  STATIC: 1,
  ANIMATION: 2,
  SOUND: 3,
  ANIMATION_SOUND: 4,
  POPUP: 5,
  POPUP_SOUND: 6,
  NAME_TEXT: 7,
  PER_STICKER_TEXT: 8,
} as const;
export const sticonResourceTypes = { STATIC: 1, ANIMATION: 2 } as const;
export const popupLayers = { FOREGROUND: 0, BACKGROUND: 1 } as const;
export const stickerSizes = { NORMAL: 0, BIG: 1 } as const;
export const customizedTextStatus = {
  OK: 0,
  PRODUCT_UNSUPPORTED: 1,
  TEXT_NOT_SPECIFIED: 2,
  TEXT_STYLE_UNAVAILABLE: 3,
  CHARACTER_COUNT_LIMIT_EXCEEDED: 4,
  CONTAINS_INVALID_WORD: 5,
} as const;

// Enumerations of synchronization.
export const fullSyncRequestReasons = {
  OTHER: 0,
  INITIALIZATION: 1,
  PERIODIC_SYNC: 2,
  MANUAL_SYNC: 3,
  LOCAL_DB_CORRUPTED: 4,
} as const;
/** The keys of the map `lastPartialFullSyncs`. */
export const syncCategories = {
  ALL: 0,
  PROFILE: 1,
  SETTINGS: 2,
  CONFIGURATIONS: 3,
  CONTACT: 4,
  GROUP: 5,
  E2EE: 6,
  MESSAGE: 7,
  MULTI_PROFILE: 8,
} as const;
export const syncCategoryBits = {
  NONE: 0,
  PROFILE: 1,
  SETTINGS: 2,
  CONFIGURATIONS: 4,
  CONTACT: 8,
  GROUP: 16,
  E2EE: 32,
  CHAT_LIST: 64,
  MESSAGE: 128,
  CHAT_EXTENSIONS: 256,
  ALL: 511,
} as const;
