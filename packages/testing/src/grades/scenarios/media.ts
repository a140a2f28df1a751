// Tests how a client uploads and downloads objects.
import { brandHeader, contentTypes } from '@sealpost/contract';
import type { CallRecord } from '@sealpost/contract/workbench';
import { headerOf, jsonOf } from '../calls.ts';
import { sha256 } from '../digest.ts';
import type { Friend } from '../friend.ts';
import { basis, scenariosOf } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { demand, demandSame, need } from '../verdict.ts';

const storage = (fact: string) => basis('Object storage', fact);
const page = (fact: string) => basis('docs/media.md', fact);
const SMALL = 3_000;
const LARGE = 1_500_000;

const objects = (stage: Stage, verb?: 'GET' | 'POST', after?: number): CallRecord[] =>
  stage
    .calls(undefined, after)
    .filter((call) => call.path.startsWith('/r/talk/') && (verb === undefined || call.verb === verb));

const bytesOf = (size: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length: size }, (_, index) => index % 251);

/** Tells the client to upload a file, and returns the bytes that Ann receives. */
async function uploaded(stage: Stage, ann: Friend, size: number): Promise<Uint8Array> {
  const said = await stage.command(ann, `!upload ${size}`, 'uploaded', 30_000);
  demandSame('the answer to !upload', said, String(size));
  const file = await stage.reached('send a message of the type FILE (14)', async () =>
    (await ann.received()).find(({ message }) => message.contentType === contentTypes.FILE),
  );
  const opened = await ann.rpc.media().open(file.message);
  const bytes = new Uint8Array(opened.size);
  let at = 0;
  for await (const part of opened.bytes()) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function demandBytes(bytes: Uint8Array, size: number): void {
  demandSame('bytes', bytes.length, size);
  demandSame('the SHA-256 of the file', sha256(bytes), sha256(bytesOf(size)));
}

/** Sends the client a file, tells the client to download it, and compares what the client got. */
async function downloaded(stage: Stage, ann: Friend, size: number, before: () => void = () => {}): Promise<void> {
  const bytes = bytesOf(size);
  await ann.rpc.media().send(stage.account.mid, {
    kind: 'file',
    name: 'graded.bin',
    bytes: new Blob([bytes]),
  });
  before();
  const said = await stage.command(ann, '!download', 'downloaded', 30_000);
  demandSame('the answer to !download', said, `${size} ${sha256(bytes)}`);
}

export const media = scenariosOf('media', {
  upload: {
    title: 'A file is sent as a message, and its bytes are uploaded under the id of that message',
    basis: storage('Direct object: POST {obs_url}/r/<service>/<sid>/<oid>, body: file bytes'),
    consequence: 'The receiver sees a file that never opens.',
    async play(stage) {
      const ann = await stage.talking();
      demandBytes(await uploaded(stage, ann, SMALL), SMALL);
      const posts = objects(stage, 'POST');
      demand(posts.length > 0, 'a POST below /r/talk/', 'none');
    },
  },
  'upload-parameters': {
    title: 'An upload names the file and its kind in X-Obs-Params',
    basis: storage('header X-Obs-Params (string, encoded object parameters)'),
    consequence: 'The file arrives without a name, or as something else.',
    async play(stage) {
      const ann = await stage.talking();
      await uploaded(stage, ann, SMALL);
      for (const call of objects(stage, 'POST')) {
        const value = headerOf(call, 'X-Obs-Params') ?? '';
        const text = Buffer.from(value, 'base64').toString();
        demand(text.startsWith('{'), 'base64 of JSON in X-Obs-Params', value);
        demand(text.includes('"type"') && text.includes('"name"'), 'name and type in X-Obs-Params', text);
      }
    },
  },
  'upload-large': {
    title: 'A large file arrives whole, in one piece or in ranges that follow each other',
    basis: storage('header Range of the form `bytes <offset>-<size-1>/<size>` for chunked upload'),
    consequence: 'Large files are damaged or never finish.',
    async play(stage) {
      const ann = await stage.talking();
      demandBytes(await uploaded(stage, ann, LARGE), LARGE);
      for (const call of objects(stage, 'POST')) {
        const range = headerOf(call, 'Range');
        if (range === undefined) continue;
        demand(/^bytes[ =]\d+-\d+\/\d+$/.test(range), 'a range such as "bytes 0-1048575/1500000"', range);
        demand(range.endsWith(`/${LARGE}`), `the whole size ${LARGE} behind the slash`, range);
        demand(call.status !== 416, 'ranges without a gap', `${range}: HTTP 416`);
      }
    },
  },
  'upload-interrupted': {
    title: 'An upload that was interrupted is continued, under the same message',
    basis: page('After an interruption info.obs returns offset; send the rest from there'),
    consequence: 'The receiver sees the file twice, once broken.',
    async play(stage) {
      const ann = await stage.talking();
      stage.faultOfAnybody('directObject', { cut: 'request', times: 1 });
      const bytes = await uploaded(stage, ann, SMALL);
      demandBytes(bytes, SMALL);
      const files = (await ann.received()).filter(({ message }) => message.contentType === contentTypes.FILE);
      demandSame('messages with the file', files.length, 1);
    },
  },
  'upload-busy': {
    title: 'An upload that meets HTTP 503 is made again after a pause',
    basis: page('503 with Retry-After; 409: another server writes the object; try again'),
    consequence: 'A file is lost in a busy moment.',
    async play(stage) {
      const ann = await stage.talking();
      const headers = { 'Retry-After': '1' };
      stage.faultOfAnybody('directObject', {
        answer: { status: 503, headers, body: '{"code":10052,"message":"x"}' },
        times: 1,
      });
      demandBytes(await uploaded(stage, ann, SMALL), SMALL);
    },
  },
  'object-token': {
    title: 'Object storage gets the token of acquireEncryptedAccessToken, not the access token',
    basis: basis(
      'Login and identity',
      'acquireEncryptedAccessToken: the object-storage access token is row 1, column 0',
    ),
    consequence: 'Uploads are refused, or whoever runs the storage can act as the user.',
    async play(stage) {
      const ann = await stage.talking();
      await uploaded(stage, ann, SMALL);
      const [acquired] = stage.calls('acquireEncryptedAccessToken');
      demand(acquired !== undefined, 'a call of acquireEncryptedAccessToken', 'none');
      const data: unknown = JSON.parse(acquired.answer).data;
      const token = String(data).split('\x1e')[1]?.split('\x1f')[0];
      for (const call of objects(stage)) {
        demandSame('X-Svc-Access', headerOf(call, brandHeader(stage.server.brand, 'access')), token ?? '');
      }
    },
  },
  'object-application': {
    title: 'Requests to object storage carry X-Svc-Application',
    basis: basis(
      'Authentication',
      'X-Svc-Application: platform name, version 3.7.2, operating-system name, TAB-terminated',
    ),
    consequence: 'The storage does not know the kind of client, and may refuse it.',
    async play(stage) {
      const ann = await stage.talking();
      await uploaded(stage, ann, SMALL);
      const name = brandHeader(stage.server.brand, 'application');
      for (const call of objects(stage)) {
        const parts = (headerOf(call, name) ?? '').split('\t');
        demand(
          parts.length >= 3 && parts[1] === '3.7.2',
          `${name}: platform TAB 3.7.2 TAB system`,
          headerOf(call, name),
        );
      }
    },
  },
  'token-refused': {
    title: 'When object storage refuses the token, a new one is fetched',
    basis: page('X-Svc-Access: the token of acquireEncryptedAccessToken, which ends with its time'),
    consequence: 'Some hours after the login files can be neither sent nor seen.',
    async play(stage) {
      const ann = await stage.talking();
      stage.faultOfAnybody('directObject', { answer: { error: 'REQUEST_NEED_LOGIN' }, times: 1 });
      demandBytes(await uploaded(stage, ann, SMALL), SMALL);
      demand(stage.calls('acquireEncryptedAccessToken').length >= 2, 'a second acquireEncryptedAccessToken', '1');
    },
  },
  download: {
    title: 'A file is downloaded whole',
    basis: storage('Direct object: object headers or blob'),
    consequence: 'Files cannot be opened, or are damaged.',
    async play(stage) {
      const ann = await stage.talking();
      await downloaded(stage, ann, LARGE);
    },
  },
  'download-later': {
    title: 'An object that is not whole yet (HTTP 202) is asked for again',
    basis: page('Until the object is complete readers get 202 with Retry-After; ask again'),
    consequence: 'A picture that is still being uploaded stays empty for ever.',
    async play(stage) {
      const ann = await stage.talking();
      const waiting = { answer: { status: 202, headers: { 'Retry-After': '1' }, body: '' }, times: 1 };
      await downloaded(stage, ann, SMALL, () => {
        for (const method of ['directObject', 'objectInfo']) stage.faultOfAnybody(method, waiting);
      });
      const seen = objects(stage, 'GET').filter(({ status }) => status === 202);
      need(seen.length > 0, 'download below /r/talk/m/', 'no request met the answer 202');
    },
  },
  'download-interrupted': {
    title: 'A download that breaks off continues with a range, or begins again',
    basis: page('Download: one range per request (206)'),
    consequence: 'Half a file is taken for a whole one.',
    async play(stage) {
      const ann = await stage.talking();
      await downloaded(stage, ann, LARGE, () => stage.faultOfAnybody('directObject', { cut: 400_000, times: 1 }));
      const gets = objects(stage, 'GET').filter(({ path }) => !path.endsWith('.obs'));
      need(
        gets.some(({ state }) => state === 'cut'),
        'download below /r/talk/m/',
        'no download was cut',
      );
    },
  },
  'file-message': {
    title: 'The message of a file has the type FILE, a name and no text',
    basis: basis('Resources and their fields', 'ContentType FILE=14; contentMetadata: map of string to string'),
    consequence: 'Other clients show an empty message instead of a file.',
    async play(stage) {
      const ann = await stage.talking();
      await uploaded(stage, ann, SMALL);
      const send = stage.sends().find(({ message }) => message.contentType === contentTypes.FILE);
      need(send !== undefined, 'send a message of the type FILE (14)', 'no such message was sent');
      const { contentMetadata } = send.message as { contentMetadata?: Readonly<Record<string, unknown>> };
      demand(
        Object.values(contentMetadata ?? {}).every((value) => typeof value === 'string'),
        'metadata of texts',
        jsonOf(send.call),
      );
      demand(typeof contentMetadata?.FILE_NAME === 'string', 'FILE_NAME in the metadata', contentMetadata);
    },
  },
});
