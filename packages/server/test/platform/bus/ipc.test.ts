import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIpcBus, type WakeMessage } from '../../../src/platform/bus/ipc.ts';

function channel() {
  const sent: WakeMessage[] = [];
  const listeners: ((message: WakeMessage) => void)[] = [];
  let open = true;
  return {
    sent,
    deliver(message: WakeMessage) {
      for (const listener of listeners) listener(message);
    },
    break: () => {
      open = false;
    },
    bus: createIpcBus({
      isOpen: () => open,
      send: (message) => void sent.push(message),
      onWake: (listener) => void listeners.push(listener),
    }),
  };
}
const turn = () => new Promise(setImmediate);

test('the wake-ups of one turn of the event loop go together, each account once', async () => {
  const { bus, sent } = channel();
  bus.wake('log', [1, 2]);
  bus.wake('log', [2, 3]);
  bus.wake('sessions', [2]);
  assert.deepEqual(sent, []);
  await turn();
  assert.deepEqual(sent, [
    { kind: 'wake', of: 'log', accountIds: [1, 2, 3] },
    { kind: 'wake', of: 'sessions', accountIds: [2] },
  ]);
  bus.wake('log', [1]);
  await turn();
  assert.deepEqual(sent.slice(2), [{ kind: 'wake', of: 'log', accountIds: [1] }]);
});

test('each account of a wake-up is heard', () => {
  const { bus, deliver } = channel();
  const heard: [string, number][] = [];
  bus.onWake((kind, accountId) => heard.push([kind, accountId]));
  deliver({ kind: 'wake', of: 'log', accountIds: [4, 5] });
  deliver({ kind: 'wake', of: 'sessions', accountIds: [6] });
  assert.deepEqual(heard, [
    ['log', 4],
    ['log', 5],
    ['sessions', 6],
  ]);
});

test('a closed bus sends and hears nothing', async () => {
  const { bus, sent, deliver } = channel();
  bus.onWake(() => assert.fail('the bus is closed'));
  bus.wake('log', [1]);
  await bus.close();
  deliver({ kind: 'wake', of: 'log', accountIds: [4] });
  await turn();
  assert.deepEqual(sent, []);
});

test('the check fails if the supervisor is gone, and nothing is sent to it', async () => {
  const { bus, sent, break: lose } = channel();
  await bus.check();
  lose();
  bus.wake('log', [1]);
  await turn();
  assert.deepEqual(sent, []);
  await assert.rejects(bus.check(), /the supervisor is gone/);
});
