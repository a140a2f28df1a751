import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiError, MethodName } from '@sealpost/contract';
import { httpEndpoints, methodNames, methodOf } from '@sealpost/contract/schemas';
import { Compile } from 'typebox/compile';
import { canonicalArgs } from '../../../src/platform/rpc/argument-forms.ts';
import { argumentCheck } from '../../../src/platform/rpc/validate.ts';

const chat = 'c0123456789abcdef0123456789abcdef';
const user = 'u0123456789abcdef0123456789abcdef';

/** Returns the values that do not fit the contract. */
function misfits(method: MethodName, args: readonly unknown[]): string[] {
  const declared = methodOf(method).args;
  const problems = args.length > declared.length ? [`${args.length} arguments for ${declared.length}`] : [];
  declared.forEach(({ name, schema, optional }, index) => {
    if (index >= args.length) {
      if (!optional) problems.push(`${name} is missing`);
    } else if (!Compile(schema).Check(args[index])) problems.push(`${name} is ${JSON.stringify(args[index])}`);
  });
  return problems;
}

type Case = readonly [
  description: string,
  method: MethodName,
  sent: readonly unknown[],
  canonical?: readonly unknown[],
];

const sealpostMessage = { to: user, toType: 0, contentType: 0, contentMetadata: {} };

/** Cases without a canonical form have arguments that the contract accepts unchanged. */
const cases: readonly Case[] = [
  [
    'getChats with a sync reason',
    'TalkService.getChats',
    [{ chatMids: [chat], withMembers: true, withInvitees: true }, 2],
  ],
  ['getChats without flags', 'TalkService.getChats', [{ chatMids: [chat] }, 2]],
  ['getContactsV2 without sync reason and calendar events', 'TalkService.getContactsV2', [{ targetUserMids: [user] }]],
  ['getAllContactIds without arguments', 'TalkService.getAllContactIds', []],
  ['getBlockedContactIds without arguments', 'TalkService.getBlockedContactIds', []],
  ['getProfile without arguments', 'TalkService.getProfile', []],
  ['getSettings without arguments', 'TalkService.getSettings', []],
  ['getConfigurations without arguments', 'TalkService.getConfigurations', []],
  ['getRecommendationIds without arguments', 'TalkService.getRecommendationIds', []],
  ['getBlockedRecommendationIds without arguments', 'TalkService.getBlockedRecommendationIds', []],
  ['getRSAKeyInfo of provider 0', 'TalkService.getRSAKeyInfo', [0]],
  ['createSession without arguments', 'SecondaryQrCodeLoginService.createSession', []],
  [
    'qrCodeLoginV2 with a device type and without a model name',
    'SecondaryQrCodeLoginService.qrCodeLoginV2',
    [{ authSessionId: 'SQ1', systemName: 'tea', deviceType: 'CHROMEOS', autoLoginIsRequired: true }],
  ],
  [
    'loginV2 with an empty secret',
    'AuthService.loginV2',
    [
      {
        type: 2,
        identityProvider: 1,
        identifier: 'k',
        password: '00',
        secret: '',
        e2eeVersion: 1,
        verifier: '',
        certificate: '',
      },
    ],
  ],
  ['loginV2 with the first verifier', 'AuthService.loginV2', [{ type: 1, verifier: 'v', keepLoggedIn: true }]],
  ['confirmE2EELogin', 'AuthService.confirmE2EELogin', ['verifier', 'c2VjcmV0']],
  ['sendChatChecked with three values and reqSeq 0', 'TalkService.sendChatChecked', [0, chat, '100']],
  ['sendChatRemoved with three values', 'TalkService.sendChatRemoved', [5, chat, '100']],
  ['sendChatRemoved of all messages', 'TalkService.sendChatRemoved', [5, chat, '0', 0]],
  [
    'sendMessage with an id of the local clock and the sender',
    'TalkService.sendMessage',
    [971000000, { ...sealpostMessage, id: 'local-1770000000000', from: user, chunks: ['AA=='] }],
  ],
  ['sendMessage with an empty text', 'TalkService.sendMessage', [5, { ...sealpostMessage, contentType: 7, text: '' }]],
  [
    'sendMessage with a time as a number',
    'TalkService.sendMessage',
    [5, { ...sealpostMessage, id: 'local-5', createdTime: 1770000000000, hasContent: false, text: 'tea' }],
  ],
  [
    'createChat without a name',
    'TalkService.createChat',
    [{ reqSeq: 5, type: 1, targetUserMids: [user], picturePath: '' }],
  ],
  [
    'createChat with reqSeq in front',
    'TalkService.createChat',
    [5, { type: 0, name: 'tea', targetUserMids: [user] }],
    [{ reqSeq: 5, type: 0, name: 'tea', targetUserMids: [user] }],
  ],
  ...(['inviteIntoChat', 'cancelChatInvitation', 'deleteOtherFromChat'] as const).flatMap((name): Case[] => [
    [
      `${name} with three values`,
      `TalkService.${name}`,
      [1, chat, [user]],
      [{ reqSeq: 1, chatMid: chat, targetUserMids: [user] }],
    ],
    [
      `${name} with a struct of users`,
      `TalkService.${name}`,
      [1, chat, { targetUserMids: [user] }],
      [{ reqSeq: 1, chatMid: chat, targetUserMids: [user] }],
    ],
  ]),
  ...(['acceptChatInvitation', 'rejectChatInvitation', 'deleteSelfFromChat'] as const).map(
    (name): Case => [`${name} with two values`, `TalkService.${name}`, [5, chat], [{ reqSeq: 5, chatMid: chat }]],
  ),
  [
    'updateChat of a name without bits',
    'TalkService.updateChat',
    [5, { chatMid: chat, chatName: 'tea' }, 0],
    [{ reqSeq: 5, chat: { chatMid: chat, chatName: 'tea' }, updatedAttribute: 1 }],
  ],
  [
    'updateChat of every field without bits',
    'TalkService.updateChat',
    [
      5,
      {
        chatMid: chat,
        type: 0,
        chatName: 'tea',
        picturePath: '',
        notificationDisabled: false,
        favoriteTimestamp: '0',
        extra: { groupExtra: { preventedJoinByTicket: false, invitationTicket: '' } },
      },
    ],
    [
      {
        reqSeq: 5,
        chat: {
          chatMid: chat,
          type: 0,
          chatName: 'tea',
          picturePath: '',
          notificationDisabled: false,
          favoriteTimestamp: '0',
          extra: { groupExtra: { preventedJoinByTicket: false, invitationTicket: '' } },
        },
        updatedAttribute: 63,
      },
    ],
  ],
  [
    'updateChat with bits',
    'TalkService.updateChat',
    [5, { chatMid: chat, chatName: 'tea', notificationDisabled: true }, 8],
    [{ reqSeq: 5, chat: { chatMid: chat, chatName: 'tea', notificationDisabled: true }, updatedAttribute: 8 }],
  ],
  [
    'setChatHiddenStatus with three values',
    'TalkService.setChatHiddenStatus',
    [5, chat, false],
    [{ reqSeq: 5, chatMid: chat, hidden: false }],
  ],
  [
    'react with a number as message id and as reaction',
    'TalkService.react',
    [5, { messageId: 100, reactionType: { type: 3 } }],
    [{ reqSeq: 5, messageId: 100, reactionType: { predefinedReactionType: 3 } }],
  ],
  [
    'react with reqSeq in front and the reaction of the contract',
    'TalkService.react',
    [5, { messageId: '100', reactionType: { predefinedReactionType: 3 } }],
    [{ reqSeq: 5, messageId: '100', reactionType: { predefinedReactionType: 3 } }],
  ],
  [
    'cancelReaction with a reaction',
    'TalkService.cancelReaction',
    [5, { messageId: 100, reactionType: { type: 0 } }],
    [{ reqSeq: 5, messageId: 100 }],
  ],
  [
    'sendPostback with three values',
    'TalkService.sendPostback',
    [5, user, 'a=b'],
    [{ messageId: '0', url: 'a=b', chatMID: user, originMID: user }],
  ],
  ['findAndAddContactsByMid of one user', 'TalkService.findAndAddContactsByMid', [5, user, 0, ''], [5, 0, [user], '']],
  ['findAndAddContactsByMid of a list', 'TalkService.findAndAddContactsByMid', [5, 0, [user]]],
  ['unblockContact with two values', 'TalkService.unblockContact', [5, user]],
  ['addFriendByMid with two values', 'RelationService.addFriendByMid', [5, user], [{ reqSeq: 5, userMid: user }]],
  [
    'addFriendByMid with a chat as its origin',
    'RelationService.addFriendByMid',
    [{ reqSeq: 5, userMid: user, tracking: { reference: '{}', trackingMetaV2: { chat: { chatMid: chat } } } }],
  ],
  [
    'getMessageBoxes with three values',
    'TalkService.getMessageBoxes',
    ['', 20, 0],
    [{ minChatId: '', messageBoxCountLimit: 20, withUnreadCount: true, lastMessagesPerMessageBoxCount: 1 }, 0],
  ],
  [
    'getMessageBoxes without a first chat',
    'TalkService.getMessageBoxes',
    [{ activeOnly: true, messageBoxCountLimit: 20 }, 7],
  ],
  [
    'getMessageBoxesByIds of a list',
    'TalkService.getMessageBoxesByIds',
    [[chat]],
    [{ messageBoxIds: [chat], withUnreadCount: true, lastMessagesCount: 1 }],
  ],
  ['getMessageReadRange without a sync reason', 'TalkService.getMessageReadRange', [[chat]]],
  [
    'getPreviousMessagesV2WithRequest under other field names',
    'TalkService.getPreviousMessagesV2WithRequest',
    [{ chatId: chat, endSeq: 100, limit: 20, withReadCount: true }],
    [{ messageBoxId: chat, endMessageId: { messageId: 100 }, messagesCount: 20, withReadCount: true }],
  ],
  [
    'getPreviousMessagesV2WithRequest with sync reason 1',
    'TalkService.getPreviousMessagesV2WithRequest',
    [{ messageBoxId: chat, endMessageId: { messageId: '100', deliveredTime: '1' }, messagesCount: 20 }, 1],
  ],
  ['getSettingsAttributes2 of one attribute', 'TalkService.getSettingsAttributes2', [33], [[33]]],
  ['getSettingsAttributes2 of a set of bits', 'TalkService.getSettingsAttributes2', [2 ** 33 + 4 + 2], [[1, 2, 33]]],
  [
    'updateSettingsAttributes2 of one attribute',
    'TalkService.updateSettingsAttributes2',
    [5, 33, { e2eeEnable: true }],
    [5, [33], { e2eeEnable: true }],
  ],
  [
    'updateProfileAttributes with decimal strings as keys',
    'TalkService.updateProfileAttributes',
    [5, { profileAttributes: { '2': { value: 'tea', meta: {} } } }],
  ],
  [
    'reportAbuseEx of a user',
    'TalkService.reportAbuseEx',
    [5, { reportee: user, category: 2, reason: 'rude' }],
    [
      {
        abuseReportEntry: {
          message: {
            reportSource: 0,
            spammerReasons: [2],
            abuseMessages: [{ senderMid: user, metadata: { reason: 'rude' } }],
            metadata: { userMid: user },
          },
        },
      },
    ],
  ],
  [
    'getLastE2EEPublicKeys with members',
    'TalkService.getLastE2EEPublicKeys',
    [{ chatMid: chat, members: [user] }],
    [chat],
  ],
  ['getLastE2EEGroupSharedKey of version 2', 'TalkService.getLastE2EEGroupSharedKey', [2, chat]],
  ['registerE2EEGroupKey of some members', 'TalkService.registerE2EEGroupKey', [1, chat, [user], [1], ['AA==']]],
  ['getOwnedProductSummaries of the own mid', 'ShopService.getOwnedProductSummaries', [user], ['sticonshop']],
  ['getOwnedProductSummaries of a shop', 'ShopService.getOwnedProductSummaries', ['stickershop']],
  ['getSticonOwnershipByMid with 1 in front', 'TalkService.getSticonOwnershipByMid', [1, user], [user]],
  ['getSticonOwnershipByMid of the mid', 'TalkService.getSticonOwnershipByMid', [user]],
];

for (const [description, method, sent, canonical = sent] of cases) {
  test(`Takes ${description}`, () => {
    const result = canonicalArgs(method, sent);
    assert.deepEqual(result, canonical);
    assert.deepEqual(misfits(method, result), []);
  });
}

for (const { method, description, example } of methodNames.flatMap((method) =>
  (methodOf(method).alsoTakes ?? []).map((form) => ({ method, ...form })),
)) {
  test(`The example of ${method}, ${description}, needs its form and then fits the contract`, () => {
    assert.notDeepEqual(canonicalArgs(method, example), example);
    assert.deepEqual(misfits(method, canonicalArgs(method, example)), []);
  });
}

const MISSING = 'REQUEST_SCHEMA';
const WRONG_TYPE = 'REQUEST_ARGUMENT_TYPE';
type Refusal = readonly [method: MethodName, sent: readonly unknown[], code: string, field: string];
const refusals: readonly Refusal[] = [
  ['TalkService.inviteIntoChat', [true, chat, [user]], WRONG_TYPE, 'request.reqSeq'],
  ['TalkService.inviteIntoChat', [1, 5, [user]], WRONG_TYPE, 'request.chatMid'],
  ['TalkService.inviteIntoChat', [1, chat, user], WRONG_TYPE, 'request.targetUserMids'],
  ...(['inviteIntoChat', 'cancelChatInvitation', 'deleteOtherFromChat'] as const).map(
    (name): Refusal => [`TalkService.${name}`, [1, chat, {}], MISSING, 'targetUserMids'],
  ),
  ['TalkService.acceptChatInvitation', ['1', chat], WRONG_TYPE, 'request.reqSeq'],
  ['TalkService.setChatHiddenStatus', [1, chat, 'yes'], WRONG_TYPE, 'request.hidden'],
  ['TalkService.createChat', [1, {}], MISSING, 'type'],
  ['TalkService.createChat', ['1', { type: 0, name: 'tea', targetUserMids: [] }], WRONG_TYPE, 'request.reqSeq'],
  ['TalkService.react', [1, {}], MISSING, 'messageId'],
  ['TalkService.react', [1, 'x'], WRONG_TYPE, 'request'],
  ['TalkService.cancelReaction', [1, {}], MISSING, 'messageId'],
  ['TalkService.cancelReaction', [1, null], WRONG_TYPE, 'request'],
  ['TalkService.updateChat', ['1', { chatMid: chat, chatName: 'tea' }, 0], WRONG_TYPE, 'request.reqSeq'],
  ['TalkService.updateChat', [1, chat, 0], WRONG_TYPE, 'request.chat'],
  ['TalkService.sendPostback', [1, 5, 'data'], WRONG_TYPE, 'request.chatMID'],
  ['RelationService.addFriendByMid', [1, 5], WRONG_TYPE, 'request.userMid'],
  ['TalkService.getMessageBoxes', [5, 20, 0], WRONG_TYPE, 'request.minChatId'],
  ['TalkService.reportAbuseEx', [1, user], WRONG_TYPE, 'request'],
];
for (const [method, args, code, field] of refusals) {
  test(`Names ${field} of ${method} when it is sent ${JSON.stringify(args)}`, () => {
    assert.throws(
      () => argumentCheck(method)(canonicalArgs(method, args)),
      (error: ApiError) => {
        assert.equal(error.code, code, error.reason);
        assert.match(error.reason, new RegExp(code === MISSING ? `\\b${field}\\b` : `^${field} must`));
        return true;
      },
    );
  });
}

test('Takes tokenRefresh with a count of retries', () => {
  assert.ok(Compile(httpEndpoints.tokenRefresh.body.schema).Check({ refreshToken: 'r', retryCount: 0 }));
});

test('Never throws, whatever the arguments are', () => {
  const values = [undefined, null, true, 0, -1, 1.5, '', 'x', [], {}, [null], { chatId: null, chatMid: {} }];
  for (const method of methodNames) {
    for (const first of values) {
      for (const second of values) {
        for (const third of values) assert.ok(Array.isArray(canonicalArgs(method, [first, second, third])));
      }
      canonicalArgs(method, [first]);
    }
    canonicalArgs(method, []);
  }
});

test('Leaves the arguments of methods without other forms alone', () => {
  const args = [1, 2, 3];
  assert.equal(canonicalArgs('TalkService.sendMessage', args), args);
});
