import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  always,
  brandHeaders,
  type ErrorName,
  errors,
  httpPaths,
  type MethodArgs,
  type MethodResult,
  operationTypes,
  pathOf,
  plainHeaders,
  rateLimits,
  type Settings,
  servicePaths,
  settingsAttributes,
  settingsFields,
} from '../src/index.ts';
import { Mid } from '../src/schema.ts';
import {
  contract,
  type HttpEndpoint,
  httpEndpoints,
  type MethodName,
  methodNames,
  methodOf,
  streamEvents,
} from '../src/schemas.ts';

// The endpoints of the specification, copied by hand from its tables. The test compares the contract with this copy.
const specification: Record<string, string> = {
  AuthService: 'loginV2 logoutV2 confirmE2EELogin',
  SecondaryQrCodeLoginService: 'createSession createQrCode verifyCertificate createPinCode qrCodeLoginV2',
  SecondaryQrCodeLoginPermitNoticeService: 'checkQrCodeVerified checkPinCodeVerified',
  TalkService: `getRSAKeyInfo getEncryptedIdentityV3 acquireEncryptedAccessToken
    sendMessage unsendMessage sendChatChecked sendChatRemoved setChatHiddenStatus react cancelReaction sendPostback
    determineMediaMessageFlow getMessageReadRange getMessageBoxesByIds getMessagesByIds getMessageBoxes
    getPreviousMessagesV2WithRequest getRecentMessagesV2 getLastOpRevision
    findAndAddContactsByMid getAllContactIds getContactsV2 blockContact unblockContact getBlockedContactIds
    findContactsByPhone findContactByUserid updateContactSetting getFavoriteMids blockRecommendation
    getRecommendationIds getBlockedRecommendationIds
    createChat updateChat inviteIntoChat deleteOtherFromChat cancelChatInvitation deleteSelfFromChat
    rejectChatInvitation acceptChatInvitation getAllChatMids getChats inviteIntoRoom leaveRoom getRoomsV2
    getProfile updateProfileAttributes getSettings updateSettingsAttributes2 getSettingsAttributes2
    getConfigurations getServerTime reportAbuseEx
    getE2EEPublicKey negotiateE2EEPublicKey getE2EEPublicKeysEx registerE2EEGroupKey getE2EEGroupSharedKey
    getLastE2EEGroupSharedKey getLastE2EEPublicKeys`,
  RelationService: 'addFriendByMid getTargetProfileNotice',
  BuddyService: 'getBuddyDetail',
  ChannelService: 'issueChannelToken',
  ShopService: 'getOwnedProductSummaries setCustomizedImageText previewCustomizedImageText',
};
const others = {
  compatibility: [
    'BuddyService.getBuddyProfile',
    'ShopService.getSticonOwnershipByMid',
    'TalkService.fetchOps',
    'TalkService.getContact',
    'TalkService.getContacts',
    'TalkService.getSticonOwnershipByMid',
  ],
  extension: [
    'ChannelService.refreshChannelToken',
    'KeyBackupService.deleteBackup',
    'KeyBackupService.getBackup',
    'KeyBackupService.getBackupInfo',
    'KeyBackupService.putBackup',
    'KeyTransparencyService.getConsistencyProof',
    'KeyTransparencyService.getEntries',
    'KeyTransparencyService.getInclusionProof',
    'KeyTransparencyService.getTreeHead',
    'PrimaryDeviceService.approveLogin',
    'PrimaryDeviceService.changeIdentifiers',
    'PrimaryDeviceService.changePassword',
    'PrimaryDeviceService.deleteAccount',
    'PrimaryDeviceService.denyLogin',
    'PrimaryDeviceService.getPendingLogins',
    'PrimaryDeviceService.getSessions',
    'PrimaryDeviceService.renameSession',
    'PrimaryDeviceService.revokeOtherSessions',
    'PrimaryDeviceService.revokeSession',
    'PrimaryDeviceService.scanQrCode',
    'PrimaryDeviceService.submitPinCode',
    'PushService.getPushKey',
    'PushService.subscribe',
    'PushService.unsubscribe',
    'TalkService.getE2EEPublicKeys',
    'TalkService.registerE2EEPublicKey',
  ],
};
const preLogin = `getRSAKeyInfo loginV2 confirmE2EELogin createSession createQrCode checkQrCodeVerified
  verifyCertificate createPinCode checkPinCodeVerified qrCodeLoginV2`;
/** The methods of the key log, which anybody may call to check the log. */
const forAuditors = 'getConsistencyProof getEntries getInclusionProof getTreeHead';

const words = (text: string) => text.split(/\s+/);
const specified = Object.entries(specification).flatMap(([service, names]) =>
  words(names).map((name) => `${service}.${name}`),
);
const byOrigin = (origin: string) =>
  methodNames.filter((name) => (methodOf(name).origin ?? 'specification') === origin).sort();
const shortName = (method: string) => method.slice(method.indexOf('.') + 1);
const endpoints: [string, HttpEndpoint][] = Object.entries(httpEndpoints);

test('the contract has the 77 RPC methods of the specification and no others under its name', () => {
  assert.equal(specified.length, 77);
  assert.deepEqual(byOrigin('specification'), specified.sort());
});

test('77 RPC methods and 10 other endpoints make the 87 endpoints of the specification', () => {
  assert.deepEqual(Object.keys(httpEndpoints).sort(), Object.keys(httpPaths).sort());
  const specifiedHttp = endpoints.filter(([, { origin }]) => origin === undefined);
  assert.equal(byOrigin('specification').length + specifiedHttp.length, 87);
});

test('methods beyond the specification are marked as compatibility or extension', () => {
  assert.deepEqual(byOrigin('compatibility'), others.compatibility);
  assert.deepEqual(byOrigin('extension'), others.extension);
});

test('only the calls before login and those of the key log need no session', () => {
  const open = methodNames.filter((name) => methodOf(name).auth === 'none').map(shortName);
  assert.deepEqual(open.sort(), [...words(preLogin), ...words(forAuditors)].sort());
});

test('no two endpoints answer at the same path', () => {
  const rpc = methodNames.flatMap((name) => [pathOf(name), ...(methodOf(name).alsoAt ?? [])]);
  const http = endpoints.flatMap(([, { path, alsoAt }]) => [path, ...(alsoAt ?? [])]);
  const paths = [...rpc, ...http];
  assert.equal(new Set(paths).size, paths.length);
  assert.equal(pathOf('RelationService.addFriendByMid'), '/api/talk/thrift/Relation/RelationService/addFriendByMid');
});

test('every method belongs to a service with a path', () => {
  for (const name of methodNames) assert.ok(name.slice(0, name.indexOf('.')) in servicePaths, name);
});

test('every declared error stands in the table, and is not one that any call may raise anyway', () => {
  for (const name of methodNames) {
    for (const error of methodOf(name).errors) {
      assert.ok(error in errors, `${name}: ${error}`);
      assert.ok(!(always as readonly ErrorName[]).includes(error), `${name}: ${error} is always possible`);
    }
  }
  for (const [name, { errors: declared }] of endpoints) {
    for (const error of declared) assert.ok(error in errors, `${name}: ${error}`);
  }
});

test('a method declares only errors of its own service or of talk', () => {
  const own: Record<string, string> = {
    QR: 'SecondaryQrCode',
    REJECTED: 'RelationService',
    CHANNEL: 'ChannelService',
    SHOP: 'ShopService',
  };
  for (const name of methodNames) {
    for (const error of methodOf(name).errors) {
      const service = own[error.split('_')[0] ?? ''];
      if (service) assert.ok(name.startsWith(service), `${name}: ${error}`);
    }
  }
});

test('a code means one thing within an exception, apart from the code that stands for every HTTP failure', () => {
  const seen = new Map<string, string>();
  for (const [name, { exception, code, http }] of Object.entries(errors)) {
    const key = `${exception} ${code} ${code === 10052 ? http : ''}`;
    assert.ok(!seen.has(key), `${name} and ${seen.get(key)} are both ${key}`);
    seen.set(key, name);
  }
});

test('every operation that a call appends has a number', () => {
  const emitting = [...methodNames.map((name) => [name, methodOf(name)] as const), ...endpoints];
  for (const [name, { emits = [] }] of emitting) {
    for (const { type } of emits) assert.ok(type in operationTypes, `${name}: ${type}`);
  }
});

test('every limit class has a rate', () => {
  for (const name of methodNames) assert.ok(methodOf(name).limit in rateLimits, name);
  for (const [name, { verbs }] of endpoints) {
    for (const limit of Object.values(verbs)) assert.ok(limit in rateLimits, name);
  }
});

/** Registers a group key. It stores a row for each member, but tells nobody. */
const COUNTED_ONCE = 'TalkService.registerE2EEGroupKey';

test('a change of many users counts as one call for each of them', () => {
  const listIn = (path: string, schema: unknown) =>
    typeof schema === 'object' && schema !== null && 'items' in schema ? [{ path, items: schema.items }] : [];
  for (const name of methodNames) {
    const { limit, args, countsEach } = methodOf(name);
    const lists = args.flatMap(({ name: argument, schema }) => [
      ...listIn(argument, schema),
      ...('properties' in schema ? Object.entries({ ...Object(schema.properties) }) : []).flatMap(([field, inside]) =>
        listIn(`${argument}.${field}`, inside),
      ),
    ]);
    const mids = lists.filter(({ items }) => JSON.stringify(items) === JSON.stringify(Mid)).map(({ path }) => path);
    if (countsEach !== undefined) assert.ok(lists.map(({ path }) => path).includes(countsEach), name);
    else if (limit === 'write' && name !== COUNTED_ONCE) assert.deepEqual(mids, [], name);
  }
});

test('optional arguments come last', () => {
  for (const name of methodNames) {
    const flags = methodOf(name).args.map((argument) => argument.optional);
    assert.deepEqual(flags, flags.toSorted(), name);
  }
});

test('the request sequence number is where the entry says', () => {
  for (const name of methodNames) {
    const { reqSeq, args } = methodOf(name);
    const first = args[0];
    if (reqSeq === 'first') assert.equal(first?.name, 'reqSeq', name);
    else assert.notEqual(first?.name, 'reqSeq', name);
    const properties = (first?.schema as { properties?: object } | undefined)?.properties ?? {};
    assert.equal(reqSeq === 'request', 'reqSeq' in properties, name);
  }
});

test('exactly the eight methods that the specification lists twice have the doubled prefix', () => {
  const eight = `getProfile updateProfileAttributes getSettings updateSettingsAttributes2 getSettingsAttributes2
    getConfigurations getServerTime reportAbuseEx`;
  const doubled = methodNames.filter((name) => methodOf(name).doubledPrefix).map(shortName);
  assert.deepEqual(doubled.sort(), words(eight).sort());
});

test('every schema compiles', () => {
  const schemas: [string, TSchema | undefined][] = [
    ...methodNames.flatMap((name): [string, TSchema][] => [
      ...methodOf(name).args.map((argument): [string, TSchema] => [`${name} ${argument.name}`, argument.schema]),
      [`${name} result`, methodOf(name).result],
    ]),
    ...endpoints.flatMap(([name, { query, body, response }]): [string, TSchema | undefined][] => [
      [`${name} query`, query],
      [`${name} body`, body?.schema],
      [`${name} response`, response.schema],
    ]),
    ...Object.entries(streamEvents).map(([name, { data }]): [string, TSchema] => [name, data]),
  ];
  for (const [name, schema] of schemas) {
    if (schema) assert.doesNotThrow(() => Compile(schema), name);
  }
});

test('headers of endpoints are headers of the protocol', () => {
  for (const [name, { headers = [] }] of endpoints) {
    for (const header of headers) assert.ok(header in brandHeaders || header in plainHeaders, `${name}: ${header}`);
  }
});

test('each field of Settings has an attribute number of its own', () => {
  const numbers = Object.values(settingsFields).map(({ attribute }) => settingsAttributes[attribute]);
  assert.equal(new Set(numbers).size, numbers.length);
});

test('every summary is one plain sentence', () => {
  const summaries = [...methodNames.map((name) => [name, methodOf(name)] as const), ...endpoints];
  for (const [name, { summary }] of summaries) assert.match(summary, /^[A-Z].{5,118}\.$/, name);
});

const accepts = (name: MethodName, position: number, value: unknown) => {
  const argument = methodOf(name).args[position];
  assert.ok(argument, `${name} has an argument ${position}`);
  return Compile(argument.schema).Check(value);
};
const mids = (count: number) => Array.from({ length: count }, (_, index) => `u${index.toString(16).padStart(32, '0')}`);

test('more than 100 mids are refused by the schemas of the calls that the specification limits', () => {
  for (const [name, request] of [
    ['TalkService.getContactsV2', (list: string[]) => ({ targetUserMids: list })],
    ['TalkService.getChats', (list: string[]) => ({ chatMids: list })],
    ['TalkService.getRoomsV2', (list: string[]) => list],
  ] as const) {
    assert.equal(accepts(name, 0, request(mids(100))), true, name);
    assert.equal(accepts(name, 0, request(mids(101))), false, name);
  }
});

test('arguments of real clients fit: partial structs, numbers for 64-bit values, unknown fields', () => {
  assert.ok(accepts('TalkService.getChats', 0, { chatMids: mids(1) }));
  assert.ok(accepts('TalkService.createChat', 0, { reqSeq: 1, type: 1, targetUserMids: mids(2) }));
  assert.ok(accepts('TalkService.updateSettingsAttributes2', 2, { notificationDisabledWithSub: 9007199254740991 }));
  assert.ok(accepts('TalkService.updateSettingsAttributes2', 2, { e2eeEnable: true, brandNew: 1 }));
  assert.ok(accepts('TalkService.getConfigurations', 0, ''));
  assert.ok(
    accepts('RelationService.addFriendByMid', 0, {
      reqSeq: 5,
      userMid: 'u1',
      tracking: { reference: '', trackingMetaV2: { chat: { chatMid: 'c1' } } },
    }),
  );
  assert.equal(accepts('TalkService.createChat', 0, { reqSeq: '1', type: 1, targetUserMids: [] }), false);
  assert.equal(accepts('TalkService.updateSettingsAttributes2', 2, { e2eeEnable: 'true' }), false);
});

test('the main entry loads no schema library, so that browsers stay small', () => {
  const program = `import { registerHooks } from 'node:module';
    registerHooks({ resolve: (name, context, next) => (console.log(name), next(name, context)) });
    await import(${JSON.stringify(import.meta.resolve('../src/index.ts'))});`;
  const { stdout, status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program]);
  assert.equal(status, 0, String(stderr));
  assert.match(String(stdout), /enums/);
  assert.doesNotMatch(String(stdout), /typebox|schema\.ts/);
});

test('types follow from the schemas', () => {
  const settings: Settings = { e2eeEnable: true, notificationMuteExpiration: '0', privacyAgeResult: 3 };
  const args: MethodArgs<'TalkService.updateSettingsAttributes2'> = [2, [33], { e2eeEnable: true, agreementGdpr: 1 }];
  const invitation: MethodArgs<'TalkService.inviteIntoChat'> = [{ reqSeq: 2, chatMid: 'c1', targetUserMids: ['u1'] }];
  const none: MethodArgs<'TalkService.getProfile'> = [];
  const refused: MethodResult<'TalkService.getE2EEPublicKeys'> = [
    // @ts-expect-error keyId is a number on the wire
    { version: 1, keyId: '1', keyData: '', createdTime: '0' },
  ];
  assert.ok(settings && args && invitation && none && refused && contract);
});
