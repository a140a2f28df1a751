// The socket to PostgreSQL sends what is written in one turn of the event loop as one packet.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { GatheringSocket } from '../../../src/platform/store/gathering-socket.ts';

const server = createServer();
const parts = ['one ', 'two ', 'three'];
let socket: GatheringSocket;
let received: Promise<string>;
/** The number of packets that were given to the system. */
let packets = 0;

class CountedSocket extends GatheringSocket {
  override _write(...given: Parameters<GatheringSocket['_write']>): void {
    packets += 1;
    super._write(...given);
  }
  override _writev(...given: Parameters<NonNullable<GatheringSocket['_writev']>>): void {
    packets += 1;
    super._writev?.(...given);
  }
}

before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection');
  socket = new CountedSocket();
  await once(socket.connect(port, '127.0.0.1'), 'connect');
  const [peer] = await accepted;
  received = peer.toArray().then((pieces: Buffer[]) => Buffer.concat(pieces).toString());
});
after(() => {
  // After a failure it is still open.
  socket.destroy();
  server.close();
});

/** Returns how many packets the work makes. */
async function packetsOf(work: () => unknown): Promise<number> {
  const earlier = packets;
  await work();
  await new Promise(setImmediate);
  return packets - earlier;
}

async function writeAwaiting(): Promise<void> {
  for (const part of parts) {
    socket.write(part);
    await null;
  }
}

test('what is written in one turn is one packet, also after an await, and in order', async () => {
  const together = () => {
    for (const part of parts) socket.write(part);
  };
  assert.equal(await packetsOf(together), 1);
  assert.equal(await packetsOf(writeAwaiting), 1);
  const fromImmediate = () =>
    new Promise<void>((resolve, reject) => {
      setImmediate(() => void writeAwaiting().then(resolve, reject));
    });
  assert.equal(await packetsOf(fromImmediate), 1);
  assert.equal(await packetsOf(() => socket.write('alone')), 1);
  socket.end();
  assert.equal(await received, `${parts.join('').repeat(3)}alone`);
});
