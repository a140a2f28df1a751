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
