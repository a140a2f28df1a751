// Mutations below HTTP: framing, chunks, pipelining, cut and damaged bytes, half-closed connections.
import type { Random } from '../workload/random.ts';
import { bytesOf, type Draft } from './draft.ts';

const lengths = ['0', '-1', '+1', '0x10', '1e3', '99999999999999999999', '1, 1', '', ' ', 'x', '1.0', '4294967297'];
const versions = ['HTTP/1.0', 'HTTP/0.9', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1.1 x', 'HTTP/', '', 'http/1.1'];
const codings = ['chunked', 'chunked, chunked', 'gzip, chunked', 'chunked, identity', 'identity', 'x', ' chunked'];
const sizes = ['0', '1', 'ffffffff', 'ffffffffffffffffff', '-1', '0x5', 'g', '', '5;a=b', `5;${'x'.repeat(20_000)}`];

const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Returns the head of a draft that promises a body in chunks. The signature is over the body as it is now. */
function chunkedHead(draft: Draft, coding = 'chunked'): Buffer {
  const headers = [...draft.headers, ['Transfer-Encoding', coding] as const];
  const whole = bytesOf({ ...draft, headers, length: '' });
  return whole.subarray(0, whole.length - draft.body.length);
}

function inChunks(body: Buffer, random: Random): Buffer[] {
  const cut = random.below(body.length + 1);
  return [body.subarray(0, cut), body.subarray(cut)].filter((piece) => piece.length > 0).map(chunk);
}

interface Wire {
  readonly bytes: Buffer;
  readonly outcome: Draft['outcome'];
  readonly answers: number;
}

const unsure = (bytes: Buffer): Wire => ({ bytes, outcome: 'unsure', answers: 1 });

function damaged(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  const count = 1 + random.below(4);
  for (let n = 0; n < count; n++) copy[random.below(copy.length)] = random.below(256);
  return copy;
}

function pipelined(draft: Draft, bytes: Buffer, random: Random): Wire {
  const answers = 2 + random.below(7);
  const isPlain = draft.outcome === 'answers' && draft.verb !== 'HEAD' && !draft.call.waits;
  const many = Buffer.concat(Array.from({ length: answers }, () => bytes));
  // A refusal may end the connection after the first answers, so the rest may stay without one.
  return isPlain ? { bytes: many, outcome: 'unsure', answers } : unsure(many);
}

const foreign: readonly Buffer[] = [
  Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from('\r\n\r\n\r\n\r\n'),
  Buffer.from('GET / HTTP/1.1\nHost: x\n\n'),
  Buffer.from('CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: x\r\n\r\n'),
  Buffer.from('OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'),
  Buffer.from('GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n'),
  Buffer.from('SSH-2.0-x\r\n'),
  Buffer.alloc(3000),
];

/** Returns the bytes of a draft with a mutation below HTTP. */
export function mutateWire(draft: Draft, random: Random): Wire {
  const bytes = bytesOf(draft);
  const cut = random.below(bytes.length);
  const end = cut + random.below(bytes.length - cut);
  switch (random.below(14)) {
    case 0:
      return { bytes: bytes.subarray(0, cut), outcome: 'leaves', answers: 1 };
    case 1:
      return unsure(bytes.subarray(0, cut));
    case 2:
      return pipelined(draft, bytes, random);
    case 3:
      return unsure(Buffer.concat([bytes.subarray(0, cut), bytes.subarray(end)]));
    case 4:
      return unsure(damaged(bytes, random));
    case 5:
      return unsure(bytesOf({ ...draft, length: random.pick([...lengths, String(draft.body.length + 1)]) }));
    case 6:
      return unsure(bytesOf({ ...draft, headers: [...draft.headers, ['Content-Length', random.pick(lengths)]] }));
    case 7:
      return unsure(bytesOf({ ...draft, version: random.pick(versions) }));
    case 8:
      return unsure(Buffer.concat([chunkedHead(draft), ...inChunks(draft.body, random), LAST_CHUNK]));
    case 9: {
      const size = Buffer.from(`${random.pick(sizes)}\r\n`);
      return unsure(Buffer.concat([chunkedHead(draft, random.pick(codings)), size, draft.body, LAST_CHUNK]));
    }
    case 10:
      return unsure(
        Buffer.from(bytes.toString('latin1').replaceAll('\r\n', random.pick(['\n', '\r', '\r\n '])), 'latin1'),
      );
    case 11:
      return { bytes, outcome: 'leaves', answers: 1 };
    case 12:
      return unsure(Buffer.concat([random.pick(foreign), bytes]));
    default:
      return unsure(Buffer.concat([bytes, bytes.subarray(0, cut)]));
  }
}
