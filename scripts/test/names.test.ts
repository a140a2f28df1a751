// Tests that a topic has the same name in every package. The packages are the contract, the server, the conformance
// kit, the reference, the SDK and the command line.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { methodNames, topics } from '@sealpost/contract/schemas';
import { createClient, createRpcClient } from '@sealpost/sdk';

const root = join(import.meta.dirname, '../..');
const names = Object.keys(topics);

/** Functions that return the path of a topic's file. There is one for each package in which every topic has a file. */
const places = {
  contract: (topic: string) => `packages/contract/src/${topic}.ts`,
  server: (topic: string) => `packages/server/src/slices/${topic}/index.ts`,
  conformance: (topic: string) => `packages/conformance/src/scenarios/${topic}.ts`,
  reference: (topic: string) => `docs/reference/${topic}.md`,
};

for (const [what, pathOf] of Object.entries(places)) {
  test(`every topic has its file in the ${what}`, () => {
    assert.deepEqual(
      names.map(pathOf).filter((path) => !existsSync(join(root, path))),
      [],
    );
  });
}

/** Slices without a topic. They serve endpoints that are not methods, or contain what several slices need. */
const otherSlices = [
  ...['account-export', 'accounts', 'admin', 'administrators', 'channels', 'media', 'notices'],
  ...['registration', 'reports', 'retention', 'sessions'],
];

test('a slice is a topic, or serves endpoints that are not methods, or holds what several slices need', () => {
  assert.deepEqual(entriesOf('packages/server/src/slices'), [...names, ...otherSlices].sort());
});

/** Files and folders of the clients that are not named after a topic, each with the reason. */
const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'packages/sdk/src': {
    'base-client': 'the calls of a client, under all topics',
    bot: 'handles events of an account, of all topics',
    client: 'puts the topics together, with state and outbox',
    deferred: 'loads parts of all topics at their first use',
    export: 'the archive of an account, under all topics',
    gateway: 'how calls get there and back',
    index: 'what the package exports',
    'key-store': 'keys as a device keeps them; no server has them',
    listeners: 'events of all topics',
    'local-account': 'what a device keeps of the account, under all topics',
    node: 'what the package exports for Node',
    operations: 'the stream is not a method',
    outbox: 'messages that this device has not sent yet',
    replica: 'what the account sees, under all topics, kept on this device',
    'rpc-client': 'every endpoint of the contract, and the login',
    store: 'where a device keeps its state',
    trust: 'what a client concludes from the key log',
    verbs: 'puts the topics together that need no state',
  },
  'packages/cli/src/commands': {
    completion: 'what shells ask about all commands',
    conformance: 'checks a server under all topics',
    'conformance-client': 'grades a client under topics of its own',
    doctor: 'looks for what is wrong on this machine',
    'doctor-message': 'a command of doctor',
    explain: 'explains calls under all topics',
    listen: 'the stream is not a method',
    maintenance: 'works on the data of a server, under all topics',
    record: 'keeps calls under all topics',
    replay: 'repeats calls under all topics',
    server: 'the server itself',
    sign: 'a signature belongs to every call',
    workbench: 'controls a server of a developer',
  },
};

for (const [folder, reasons] of Object.entries(others)) {
  test(`what is in ${folder} has the name of a topic or a slice, or has a reason`, () => {
    const known = new Set([...names, ...otherSlices]);
    const rest = entriesOf(folder).filter((name) => !known.has(name));
    assert.deepEqual(rest, Object.keys(reasons).sort());
  });
}

test('the objects of a client have the names of topics, slices or folders of the SDK', () => {
  const client = createRpcClient({ url: 'http://127.0.0.1:1' });
  const services = new Set(methodNames.map((name) => name.split('.')[0]));
  const objects = Object.entries(client).filter(([name, value]) => typeof value === 'object' && !services.has(name));
  client.close();
  const folders = new Set([...names, ...otherSlices, ...Object.keys(others['packages/sdk/src'] ?? {})]);
  const rest = objects
    .map(([name]) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
    .filter((name) => !folders.has(name));
  // `http` is not a topic: it has the verbs for endpoints that are not methods. `recovery` is not the name of a topic
  // either: its code is in the folder of the topic `key-backup`.
  assert.deepEqual(rest, ['http', 'recovery']);
});

test('the verbs of a client stand under the names of topics, slices or folders of the SDK', () => {
  const client = createClient({ url: 'http://127.0.0.1:1' });
  const folders = new Set([...names, ...otherSlices, ...Object.keys(others['packages/sdk/src'] ?? {})]);
  const rest = Object.entries(client).filter(([name, value]) => typeof value === 'object' && !folders.has(name));
  // `rpc` is not a topic: it has every endpoint in the form of the wire.
  assert.deepEqual(
    rest.map(([name]) => name),
    ['rpc'],
  );
});

/** Returns the names of the files and folders in a folder, without their file extensions. */
function entriesOf(folder: string): string[] {
  return readdirSync(join(root, folder))
    .map((name) => name.replace(/\.ts$/, ''))
    .sort();
}
