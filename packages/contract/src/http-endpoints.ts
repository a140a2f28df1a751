// The endpoints that are not RPCs (specification: Endpoints): token renewal, stream, polls, notices, object storage.
import Type, { type Static, type TSchema } from 'typebox';
import { type HttpEndpoint, type HttpEndpointName, http } from './http-endpoint.ts';
import { E2EELoginMetadata, TokenV3IssueResult } from './login.ts';
import { Bool, I32, I64, I64Text, i64, list, Mid, optional, ReqSeq, Text } from './schema.ts';
import { httpPaths } from './services.ts';

export const TokenRefreshRequest = Type.Object(
  { refreshToken: Type.String({ minLength: 1, maxLength: 4096 }), retryCount: optional(Type.Integer()) },
  { title: 'TokenRefreshRequest' },
);
export type TokenRefreshRequest = Static<typeof TokenRefreshRequest>;

export const OperationReceiveQuery = Type.Object(
  {
    version: optional(Text(32)),
    fullSyncRequestReason: optional(
      Type.String({ maxLength: 64, description: 'text without effect: everything after localRev is sent anyway' }),
    ),
    lastPartialFullSyncs: optional(
      Type.String({ maxLength: 4096, description: 'text without effect: a fullSync is never partial here' }),
    ),
    localRev: optional(i64('; below 0: as 0; absent: the stream starts at the newest revision')),
    language: optional(Text(32)),
    legyHost: optional(Text(256)),
  },
  { title: 'OperationReceiveQuery' },
);

export const LongPollLF1Result = Type.Object(
  {
    result: Type.Object({
      metadata: Type.Union([E2EELoginMetadata, Type.String()], {
        description: 'JSON text, or an object to a client that sends the client version under its second name',
      }),
    }),
    timestamp: I64Text,
    authPhase: Type.String(),
  },
  { title: 'LongPollLF1Result' },
);
export type LongPollLF1Result = Static<typeof LongPollLF1Result>;

export const LongPollJQResult = Type.Object(
  { result: Type.Object({ verifier: Type.String(), authPhase: Type.String() }), timestamp: I64Text },
  { title: 'LongPollJQResult' },
);
export type LongPollJQResult = Static<typeof LongPollJQResult>;

export const NoticeDocument = Type.Object(
  {
    id: I64Text,
    title: Type.String(),
    body: optional(Type.String()),
    createdTime: I64Text,
    extras: Type.Object({ showTimingWhenLogin: Bool }),
  },
  { title: 'NoticeDocument' },
);
export type NoticeDocument = Static<typeof NoticeDocument>;

export const ObjectPath = Type.Object({ service: Text(32), sid: Text(32), oid: Text(128) }, { title: 'ObjectPath' });

export const CopyForMessageRequest = Type.Object(
  {
    srcPath: ObjectPath,
    dstPath: ObjectPath,
    toMid: Mid,
    isOriginal: optional(Bool),
    reqSeq: optional(ReqSeq),
    talkMeta: optional(Text(4096)),
  },
  { title: 'CopyForMessageRequest' },
);
export type CopyForMessageRequest = Static<typeof CopyForMessageRequest>;

/** The parameters of an object, which a header carries in encoded form. */
export const ObjectParameters = Type.Object(
  {
    ver: optional(Text(16)),
    name: optional(Type.String({ maxLength: 1000, description: 'name of the file, as info.obs shows it' })),
    type: optional(Type.String({ maxLength: 32, description: 'type as info.obs shows it, for example image or file' })),
    cat: optional(Text(32)),
    duration: optional(Type.Union([Text(20), Type.Number()])),
    range: optional(Text(100)),
    size: optional(I64),
    oid: optional(Text(128)),
    reqseq: optional(Type.Union([Text(20), I32])),
    tomid: optional(Mid),
  },
  {
    title: 'ObjectParameters',
    description:
      'The JSON that the header X-Obs-Params carries as base64 of its UTF-8 bytes. Only `name` and `type` have an effect.',
  },
);
export type ObjectParameters = Static<typeof ObjectParameters>;

export const ObjectInfo = Type.Object(
  {
    status: Type.Enum(['exist', 'notexist', 'uploading', 'incompleted']),
    encodeStatus: optional(Type.String()),
    name: optional(Type.String()),
    mime: optional(Type.String()),
    type: optional(Type.String()),
    hash: optional(Type.String()),
    cksum: optional(Type.String()),
    size: optional(Type.Integer()),
    ctime: optional(Type.String()),
    ctimeMillis: optional(Type.Integer()),
    oid: Type.String(),
    sid: Type.String(),
    svc: Type.String(),
    userid: optional(Type.String()),
    offset: optional(Type.Integer()),
    imageDetails: optional(
      Type.Object({
        format: Type.String(),
        height: Type.Integer(),
        width: Type.Integer(),
        signature: optional(Type.String()),
      }),
    ),
    videoMp4Details: optional(
      Type.Object({
        size: Type.Integer(),
        durationMillis: Type.Integer(),
        height: optional(Type.Integer()),
        width: optional(Type.Integer()),
        format: optional(Type.String()),
        status: optional(Type.String()),
      }),
    ),
    audioM4aDetails: optional(Type.Object({ size: Type.Integer(), durationMillis: Type.Integer() })),
  },
  { title: 'ObjectInfo' },
);
export type ObjectInfo = Static<typeof ObjectInfo>;

export const PlaybackInfo = Type.Object(
  { url: Type.String(), mime: Type.String(), size: Type.Integer(), durationMillis: optional(Type.Integer()) },
  { title: 'PlaybackInfo' },
);
export type PlaybackInfo = Static<typeof PlaybackInfo>;

export const ProfileUploadResult = Type.Object(
  { oid: Type.String(), picturePath: Type.String(), hash: Type.String() },
  { title: 'ProfileUploadResult' },
);
export type ProfileUploadResult = Static<typeof ProfileUploadResult>;

export const HomeId = Type.Object({ homeId: Mid }, { title: 'HomeId' });

export const Cover = Type.Object(
  {
    homeId: Mid,
    objectId: optional(Type.String({ description: 'id of the picture under /r/myhome/c/; absent without a cover' })),
    updatedTime: optional(I64Text),
  },
  { title: 'Cover' },
);

export const UpdateCoverRequest = Type.Object(
  { objectId: Type.String({ maxLength: 100, description: 'id of an uploaded picture; empty removes the cover' }) },
  { title: 'UpdateCoverRequest' },
);

const picture = {
  base: 'gateway',
  verbs: { GET: 'read', HEAD: 'read' },
  auth: 'none',
  signed: false,
  httpHeaders: ['If-None-Match'],
  response: { form: 'bytes', doc: 'A PNG picture with an ETag.' },
  errors: ['NOT_FOUND_PATH'],
  origin: 'compatibility',
} as const;

const timeline = {
  base: 'gateway',
  auth: 'user',
  signed: true,
  headers: ['access', 'channelToken'],
  origin: 'compatibility',
} as const;

const poll = ['POLL_TIMEOUT', 'POLL_GONE'] as const;

/** The operations that announce a stored object to accounts that got the object's message earlier. */
const objectCame = [
  { type: 'NOTIFIED_UPDATE_MESSAGE', to: 'self' },
  { type: 'NOTIFIED_UPDATE_MESSAGE', to: 'members' },
] as const;

export const httpEndpoints = {
  tokenRefresh: http({
    summary: 'Returns new tokens for a refresh token.',
    path: httpPaths.tokenRefresh,
    base: 'gateway',
    verbs: { POST: 'login' },
    auth: 'none',
    signed: 'lenient',
    headers: ['access'],
    body: { contentType: 'application/json', schema: TokenRefreshRequest, limit: 'refreshBodyBytes' },
    response: { form: 'hybrid', schema: TokenV3IssueResult, doc: 'The new tokens, to be merged into the stored ones.' },
    errors: ['AUTH_INVALID_REQUEST', 'AUTH_RETRY_REQUIRED'],
    emits: [
      {
        type: 'SEND_ENCRYPTED_E2EE_KEY_REQUESTED',
        to: 'self',
        when: 'news is "revoked", id is that of the login session, about is a Session; for a token that was used before',
      },
    ],
  }),
  operationReceive: http({
    summary: 'Opens the operation stream, beginning after the revision of the client.',
    path: httpPaths.operationReceive,
    base: 'gateway',
    verbs: { GET: 'read' },
    auth: 'user',
    signed: false,
    cookie: true,
    query: OperationReceiveQuery,
    headers: ['access'],
    httpHeaders: ['Accept', 'Last-Event-ID'],
    response: {
      form: 'events',
      doc: 'Operations as unnamed events, and the named stream events. The stream begins after the larger of localRev and Last-Event-ID.',
    },
    errors: [],
  }),
  longPollLF1: http({
    summary: 'Waits until a sealed login is confirmed, and returns the key chain.',
    path: httpPaths.longPollLF1,
    base: 'gateway',
    verbs: { GET: 'login' },
    auth: 'none',
    signed: true,
    headers: ['sessionId', 'longPollTime'],
    response: { form: 'envelope', schema: LongPollLF1Result, doc: 'The sealed key chain of the account.' },
    errors: poll,
  }),
  longPollJQ: http({
    summary: 'Waits until a login without sealing is confirmed, and returns a verifier.',
    path: httpPaths.longPollJQ,
    base: 'gateway',
    verbs: { GET: 'login' },
    auth: 'none',
    signed: true,
    headers: ['sessionId', 'longPollTime'],
    response: { form: 'envelope', schema: LongPollJQResult, doc: 'The verifier for the last step of the login.' },
    errors: poll,
  }),
  notices: http({
    summary: 'Returns service notices for a language and country.',
    path: httpPaths.notices,
    base: 'gateway',
    verbs: { GET: 'read' },
    auth: 'user',
    signed: true,
    query: Type.Object({
      lang: optional(Text(32)),
      country: optional(Text(32)),
      nextSeq: optional(I64),
      includeBody: optional(Text(5)),
    }),
    headers: ['access'],
    response: {
      form: 'envelope',
      schema: Type.Object({ documents: list(NoticeDocument), nextSeq: I64Text }),
      doc: 'Notices after nextSeq.',
    },
    errors: [],
  }),
  uploadProfile: http({
    summary: "Sets the caller's picture, or that of a group.",
    path: httpPaths.uploadProfile,
    base: 'gateway',
    verbs: { POST: 'write' },
    auth: 'user',
    signed: 'lenient',
    query: Type.Object({ mid: Mid }),
    headers: ['access'],
    httpHeaders: ['Content-Type'],
    body: { contentType: 'image/*', doc: 'the bytes of the image', limit: 'pictureBytes' },
    response: { form: 'envelope', schema: ProfileUploadResult, doc: 'The stored picture.' },
    errors: ['NOT_FOUND', 'INVALID_MID', 'NOT_A_MEMBER', 'OBJECT_QUOTA'],
    emits: [
      { type: 'UPDATE_PROFILE', to: 'self', when: 'for a user' },
      { type: 'NOTIFIED_UPDATE_PROFILE', to: 'friends', when: 'for a user' },
      { type: 'UPDATE_CHAT', to: 'self', when: 'for a group' },
      { type: 'NOTIFIED_UPDATE_CHAT', to: 'members', when: 'for a group' },
      { type: 'NOTIFIED_UPDATE_CHAT', to: 'invitees', when: 'for a group' },
    ],
  }),
  copyForMessage: http({
    summary: 'Copies an object so that another message can carry it.',
    path: httpPaths.copyForMessage,
    base: 'gateway',
    verbs: { POST: 'write' },
    auth: 'user',
    signed: true,
    headers: ['access'],
    body: { contentType: 'application/json', schema: CopyForMessageRequest },
    response: {
      form: 'envelope',
      schema: Type.Object({ gid: Type.String(), oid: Type.String() }),
      doc: 'Group id and object id of the copy.',
    },
    errors: [
      'NOT_FOUND',
      'INVALID_MID',
      'NOT_A_MEMBER',
      'NOT_FOUND_PATH',
      'OBJECT_REQUEST',
      'OBJECT_FORBIDDEN',
      'OBJECT_COMPLETE',
      'OBJECT_QUOTA',
    ],
    emits: objectCame,
  }),
  stickerPicture: http({ summary: 'Returns the picture of a sticker.', path: httpPaths.stickerPicture, ...picture }),
  stickerAnimation: http({
    summary: 'Returns the moving picture of an animated sticker.',
    path: httpPaths.stickerAnimation,
    ...picture,
  }),
  stickerSound: http({
    summary: 'Returns the sound of a sticker.',
    path: httpPaths.stickerSound,
    ...picture,
    response: { form: 'bytes', doc: 'An M4A sound with an ETag.' },
  }),
  sticonPicture: http({
    summary: 'Returns the picture of an emoji of a pack.',
    path: httpPaths.sticonPicture,
    ...picture,
  }),
  homeId: http({
    summary: 'Returns the home of a user, or of the caller.',
    path: httpPaths.homeId,
    ...timeline,
    verbs: { GET: 'read' },
    query: Type.Object({ mid: optional(Mid) }),
    response: { form: 'envelope', schema: HomeId, doc: 'The home: its id is the mid of the user.' },
    errors: ['CHANNEL_AUTHENTICATION_FAILED', 'NOT_FOUND', 'INVALID_MID'],
  }),
  getCover: http({
    summary: 'Returns the cover picture of a home.',
    path: httpPaths.getCover,
    ...timeline,
    verbs: { GET: 'read' },
    query: Type.Object({ homeId: Mid }),
    response: { form: 'envelope', schema: Cover, doc: 'The cover.' },
    errors: ['CHANNEL_AUTHENTICATION_FAILED', 'NOT_FOUND', 'INVALID_MID'],
  }),
  updateCover: http({
    summary: "Sets the cover picture of the caller's home.",
    path: httpPaths.updateCover,
    ...timeline,
    verbs: { POST: 'write' },
    body: { contentType: 'application/json', schema: UpdateCoverRequest },
    response: { form: 'envelope', schema: Cover, doc: 'The cover as it is now.' },
    errors: ['CHANNEL_AUTHENTICATION_FAILED', 'NOT_FOUND', 'ILLEGAL_ARGUMENT'],
  }),
  directObject: http({
    summary: 'Stores an object, whole or in ranges, or returns its bytes.',
    path: httpPaths.directObject,
    alsoAt: [`${httpPaths.directObject}/preview`, `${httpPaths.directObject}/original`],
    base: 'objects',
    verbs: { POST: 'write', GET: 'read', HEAD: 'read' },
    auth: 'object',
    signed: false,
    cookie: true,
    headers: ['access', 'application', 'channelToken', 'obsParams', 'talkMeta'],
    httpHeaders: ['Content-Type', 'Range', 'If-None-Match', 'If-Range'],
    body: { contentType: 'application/octet-stream', doc: 'the bytes of the object, or of a range' },
    response: {
      form: 'bytes',
      doc: 'POST: headers x-obs-oid, x-obs-hash and x-obs-offset. GET: the bytes; 202 while the object is not whole.',
    },
    errors: [
      'NOT_FOUND_PATH',
      'OBJECT_REQUEST',
      'OBJECT_FORBIDDEN',
      'UPLOAD_CONFLICT',
      'OBJECT_QUOTA',
      'OBJECT_COMPLETE',
      'RANGE_NOT_SATISFIABLE',
    ],
    emits: objectCame,
  }),
  objectInfo: http({
    summary: 'Returns state, type and size of an object.',
    path: httpPaths.objectInfo,
    alsoAt: [`${httpPaths.directObject}/object_info.obs`],
    base: 'objects',
    verbs: { GET: 'read' },
    auth: 'object',
    signed: false,
    cookie: true,
    headers: ['access', 'application', 'channelToken', 'talkMeta'],
    response: { form: 'json', schema: ObjectInfo, doc: 'The object as it is stored.' },
    errors: ['NOT_FOUND_PATH', 'OBJECT_REQUEST'],
  }),
  playback: http({
    summary: 'Returns the address at which a video can be played.',
    path: httpPaths.playback,
    base: 'objects',
    verbs: { GET: 'read' },
    auth: 'object',
    signed: false,
    cookie: true,
    query: Type.Object({
      modelName: optional(Text(200)),
      networkType: optional(Text(32)),
      lang: optional(Text(32)),
    }),
    headers: ['access', 'application', 'talkMeta'],
    response: { form: 'json', schema: PlaybackInfo, doc: 'A playable address.' },
    errors: ['NOT_FOUND_PATH', 'OBJECT_REQUEST'],
  }),
} as const satisfies Record<HttpEndpointName, HttpEndpoint>;

export type HttpEndpoints = typeof httpEndpoints;
/** The query of an endpoint, as a client sends it. */
export type HttpQuery<N extends HttpEndpointName> = HttpEndpoints[N] extends {
  readonly query: infer S extends TSchema;
}
  ? Static<S>
  : never;
/** The JSON body of an endpoint, as a client sends it. */
export type HttpBody<N extends HttpEndpointName> = HttpEndpoints[N] extends {
  readonly body: { readonly schema: infer S extends TSchema };
}
  ? Static<S>
  : never;
/** The JSON result of an endpoint, without its envelope. */
export type HttpResult<N extends HttpEndpointName> = HttpEndpoints[N] extends {
  readonly response: { readonly schema: infer S extends TSchema };
}
  ? Static<S>
  : never;
