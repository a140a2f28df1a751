import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminEndpointNames, adminEndpointOf } from '../src/admin.ts';
import {
  type AppendedType,
  namedOperation,
  operationParameters,
  operationTypes,
  type Parameter,
  wireParameters,
} from '../src/index.ts';
import { type HttpEndpoint, httpEndpoints, methodNames, methodOf } from '../src/schemas.ts';

const types = Object.keys(operationParameters) as AppendedType[];

/** A value of each kind of parameter, and its text on the wire. */
const samples: Readonly<Record<Parameter['kind'], readonly [value: unknown, text: string]>> = {
  mid: ['u1', 'u1'],
  messageId: ['9007199254740993', '9007199254740993'],
  text: ['', ''],
  mids: [['u1', 'u2'], 'u1\u001eu2'],
  number: [-7, '-7'],
  boolean: [false, 'false'],
  setting: [true, 'bT'],
  json: [{ a: ['b'] }, '{"a":["b"]}'],
};

for (const type of types) {
  test(`${type} is read as it was written`, () => {
    const declared: readonly Parameter[] = operationParameters[type];
    const params = Object.fromEntries(declared.map(({ name, kind }) => [name, samples[kind][0]]));
    const wire = wireParameters(type, params);
    assert.deepEqual(
      wire,
      [0, 1, 2].map((index) => (declared[index] ? samples[declared[index].kind][1] : null)),
    );
    const record = Object.fromEntries(
      wire.flatMap((text, index) => (text === null ? [] : [[`param${index + 1}`, text]])),
    );
    assert.deepEqual(namedOperation({ type: operationTypes[type], ...record }), { type, params });
  });
}

test('what is absent stays absent where it may; where it may not, the operation is not read', () => {
  assert.deepEqual(wireParameters('UPDATE_CONTACT', { mid: 'u1', setting: undefined }), ['u1', null, null]);
  assert.deepEqual(namedOperation({ type: 49, param1: 'u1' }), { type: 'UPDATE_CONTACT', params: { mid: 'u1' } });
  assert.equal(namedOperation({ type: 49 }), undefined);
  assert.equal(namedOperation({ type: 41, param1: 'c1' }), undefined);
  assert.equal(namedOperation({ type: 137, param1: 'c1', param2: '1', param3: 'perhaps' }), undefined);
});

test('types that no server of this contract appends are not read', () => {
  assert.equal(namedOperation({ type: operationTypes.DUMMY, param1: 'x' }), undefined);
  assert.equal(namedOperation({ type: 57 }), undefined);
});

test('every type that is declared is emitted by an endpoint', () => {
  const endpoints: readonly HttpEndpoint[] = Object.values(httpEndpoints);
  const entries = [...methodNames.map(methodOf), ...endpoints, ...adminEndpointNames.map(adminEndpointOf)];
  const emitted = new Set(entries.flatMap(({ emits = [] }) => emits.map(({ type }) => type)));
  assert.deepEqual(
    types.filter((type) => !emitted.has(type)),
    [],
  );
});
