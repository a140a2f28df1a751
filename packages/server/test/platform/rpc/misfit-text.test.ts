import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, type MethodName } from '@sealpost/contract';
import { argumentCheck } from '../../../src/platform/rpc/validate.ts';

const to = `u${'0'.repeat(32)}`;
const long = 'x'.repeat(50);

function refusalOf(method: MethodName, args: readonly unknown[]): string {
  try {
    argumentCheck(method)(args);
  } catch (error) {
    if (error instanceof ApiError) return `${error.code}: ${error.reason}`;
    throw error;
  }
  return 'no refusal';
}

/** What a message has besides its target, and the refusal of it. */
const messages: readonly (readonly [rest: object, refusal: string])[] = [
  [{ to: '' }, 'ILLEGAL_ARGUMENT: message.to must not be empty'],
  [{ to: [to] }, 'REQUEST_ARGUMENT_TYPE: message.to must be a text, not a list'],
  [{ contentType: 99 }, 'ILLEGAL_ARGUMENT: message.contentType must be one of 0 to 22, not 99'],
  [{ contentType: '0' }, 'REQUEST_ARGUMENT_TYPE: message.contentType must be an integer, not the text "0"'],
  [{ contentType: { a: 1 } }, 'REQUEST_ARGUMENT_TYPE: message.contentType must be an integer, not an object'],
  [
    { text: '😀'.repeat(10_001) },
    'INVALID_LENGTH: Invalid Length: message.text must have at most 10000 characters, not 10001',
  ],
  [
    { relatedMessageId: 'abc' },
    'ILLEGAL_ARGUMENT: message.relatedMessageId must be a decimal number of at most 19 digits, not "abc"',
  ],
  [
    { relatedMessageId: long },
    `ILLEGAL_ARGUMENT: message.relatedMessageId must be a decimal number of at most 19 digits, not "${long.slice(0, 40)}"…`,
  ],
  [{ relatedMessageId: 1.5 }, 'REQUEST_ARGUMENT_TYPE: message.relatedMessageId must be a text or an integer, not 1.5'],
];
for (const [rest, refusal] of messages) {
  test(`A message is refused with ${refusal.slice(0, 120)}`, () => {
    assert.equal(refusalOf('TalkService.sendMessage', [1, { to, ...rest }]), refusal);
  });
}

const calls: readonly (readonly [method: MethodName, args: readonly unknown[], refusal: string])[] = [
  ['TalkService.sendMessage', [1, {}], 'REQUEST_SCHEMA: message.to is missing or null'],
  [
    'TalkService.createChat',
    [{}],
    'REQUEST_SCHEMA: request.reqSeq, request.type and request.targetUserMids are missing or null',
  ],
  ['TalkService.sendMessage', [1, null], 'REQUEST_ARGUMENT_TYPE: message must be an object, not null'],
  ['TalkService.sendMessage', [1], 'REQUEST_SCHEMA: argument 2, message, is missing'],
  ['TalkService.sendMessage', [1, 2, 3], 'REQUEST_SCHEMA: TalkService.sendMessage takes 2 arguments, got 3'],
  ['TalkService.getProfile', [1, 2, 3], 'REQUEST_SCHEMA: TalkService.getProfile takes 0 or 1 arguments, got 3'],
  ['TalkService.createChat', [1, 2, 3], 'REQUEST_SCHEMA: TalkService.createChat takes 1 argument, got 3'],
  [
    'TalkService.sendMessage',
    [2 ** 40, { to }],
    'ILLEGAL_ARGUMENT: reqSeq must be at most 2147483647, not 1099511627776',
  ],
  [
    'TalkService.sendMessage',
    [-(2 ** 40), { to }],
    'ILLEGAL_ARGUMENT: reqSeq must be at least -2147483648, not -1099511627776',
  ],
  [
    'TalkService.findAndAddContactsByMid',
    [1, to, 50, ''],
    'REQUEST_ARGUMENT_TYPE: type must be an integer, not the text "u00000000000000000000000000000000"',
  ],
  [
    'TalkService.findAndAddContactsByMid',
    [1, 50, to, ''],
    'ILLEGAL_ARGUMENT: type must be one of 0 to 11, 128 or 2305 to 2309, not 50',
  ],
];
for (const [method, args, refusal] of calls) {
  test(`${method} is refused with ${refusal.slice(0, 120)}`, () => {
    assert.equal(refusalOf(method, args), refusal);
  });
}

test('The value of a field that may hold a secret is not repeated', () => {
  assert.equal(
    refusalOf('AuthService.loginV2', [{ type: 0, password: 12_345_678 }]),
    'REQUEST_ARGUMENT_TYPE: loginRequest.password must be a text, not the value that was sent',
  );
});
