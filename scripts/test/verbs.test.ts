// Tests the tables of docs/sdk.md: every endpoint of the specification must have a verb, and every verb in the tables
// must exist.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type HttpEndpoint, httpEndpoints, methodNames, methodOf } from '@sealpost/contract/schemas';
import { type Client, createClient, memoryStore } from '@sealpost/sdk';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/sdk.md'), 'utf8');

/** Returns the rows of the table below a heading: the name in the first column, and the names in the second column. */
function rowsBelow(heading: string): [name: string, verbs: string[]][] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, name = '', verbs = '']) => [
    name,
    [...verbs.matchAll(/`([^`]+)`/g)].map(([, verb = '']) => verb),
  ]);
}

const endpoints = rowsBelow('Which verb serves which endpoint');
const topics = rowsBelow('Verbs by topic');
const http: [string, HttpEndpoint][] = Object.entries(httpEndpoints);
const specified = [
  ...methodNames.filter((name) => methodOf(name).origin === undefined),
  ...http.filter(([, { origin }]) => origin === undefined).map(([name]) => name),
];

let client: Client;
before(async () => {
  const refreshApiRetryPolicy = { initialDelayInMillis: '0', maxDelayInMillis: '0', multiplier: 1, jitterRate: 0 };
  const issued = { accessToken: 'a', refreshToken: 'r', loginSessionId: 's', refreshApiRetryPolicy };
  const tokens = { ...issued, durationUntilRefreshInSec: '100000000', tokenIssueTimeEpochSec: '1800000000' };
  const store = memoryStore();
  await store.session.save({ mid: `u${'0'.repeat(32)}`, tokens });
  // No server answers at this address. An opened client has all its parts even without a connection.
  client = createClient({ url: 'http://127.0.0.1:1', store });
  await client.open();
});
after(() => client.close());

/** Returns the value at the end of a path of properties that begins at the client. */
const at = (path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      client,
    );

test('every endpoint of the specification has one row, and no other has one', () => {
  assert.equal(specified.length, 87);
  assert.deepEqual(endpoints.map(([name]) => name).sort(), specified.toSorted());
});

test('every verb of the tables is a function of the client', () => {
  const ofTopics = topics.flatMap(([topic, verbs]) => verbs.map((verb) => `${topic}.${verb}`.replace(/^client\./, '')));
  const named = [...endpoints.flatMap(([, verbs]) => verbs), ...ofTopics];
  assert.ok(named.length > specified.length + ofTopics.length - 1);
  assert.deepEqual(
    named.filter((verb) => typeof at(verb) !== 'function'),
    [],
  );
  assert.equal(at('chats.noSuchVerb'), undefined);
});

test('the table of topics names every verb of the classes that only have verbs', () => {
  for (const topic of [
    'chats',
    'contacts',
    'profile',
    'profile.settings',
    'stickers',
    'notices',
    'reports',
    'channels',
  ]) {
    const [first = '', ...inner] = topic.split('.');
    const prefix = [...inner, ''].join('.');
    const [, listed = []] = topics.find(([name]) => name === `client.${first}`) ?? [];
    const own = Object.keys(Object(at(topic))).filter((name) => typeof at(`${topic}.${name}`) === 'function');
    // A part that is loaded when it is first needed is a plain object. All other parts are instances of a class.
    const parent = Object.getPrototypeOf(at(topic));
    const inherited = parent === Object.prototype ? [] : Object.getOwnPropertyNames(parent);
    const found = [...own, ...inherited].filter((name) => name !== 'constructor');
    const ofClass = listed.filter((verb) => verb.startsWith(prefix) && !verb.slice(prefix.length).includes('.'));
    assert.deepEqual(ofClass.map((verb) => verb.slice(prefix.length)).sort(), found.sort(), topic);
  }
});

test('the SDK calls every endpoint of the specification', () => {
  const files = globSync('packages/sdk/src/**/*.ts', { cwd: root });
  const sources = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  const uncalled = specified.filter((name) => !new RegExp(`\\b${name.split('.').at(-1)}\\b`).test(sources));
  assert.deepEqual(uncalled, []);
});
