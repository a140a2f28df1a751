// Decisions about media: sizes, kinds of files, names, places, packs, and what the page keeps.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contentTypes } from '@sealpost/contract';
import type { OutgoingMedia, StoredMessage } from '@sealpost/sdk';
import { inPercents } from '../src/chat/client/engine-media.ts';
import { chatOf, durationOf, fitted, formOf, shownSize } from '../src/chat/media/about-media.ts';
import { isMoving, kindOfFile, pictureType, playableType, withEnding } from '../src/chat/media/file-kind.ts';
import { safeFileName } from '../src/chat/media/file-name.ts';
import { nameParts } from '../src/chat/media/file-name-parts.ts';
import { MediaShelf } from '../src/chat/media/media-shelf.ts';
import { packOf } from '../src/chat/media/packs.ts';
import { coordinates, pointOf, webMap } from '../src/chat/media/place.ts';
import { parseUsed, withUsed } from '../src/chat/media/recent-stickers.ts';
import { createAttachments } from '../src/chat/screens/conversation/composer/attachments.ts';

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part)));

function picture(contentMetadata: Record<string, string>, state: 'plain' | 'opened' = 'plain'): StoredMessage {
  const message = { id: '1', from: 'ua', to: 'ub', contentType: contentTypes.IMAGE, sealing: { state } };
  return { ...message, contentMetadata } as unknown as StoredMessage;
}

test('a size keeps its shape, and never grows', () => {
  assert.deepEqual(fitted({ width: 4000, height: 3000 }, 384), { width: 384, height: 288 });
  assert.deepEqual(fitted({ width: 100, height: 50 }, 384), { width: 100, height: 50 });
  assert.deepEqual(fitted({ width: 10_000, height: 1 }, 384), { width: 384, height: 1 });
});

test('what a message says about its size is not taken on trust', () => {
  const size = (told: string) => shownSize({ MEDIA_THUMB_INFO: told });
  assert.deepEqual(size('{"width":384,"height":192}'), { width: 320, height: 160 });
  assert.deepEqual(size('{"width":10000,"height":1}'), { width: 320, height: 96 });
  const unknown = shownSize({});
  for (const told of ['', 'null', '[]', '{"width":-1,"height":5}', '{"width":1e9,"height":5}', '{"width":"9"}']) {
    assert.deepEqual(size(told), unknown, told);
  }
  assert.equal(durationOf({ DURATION: 'soon' }), undefined);
  assert.equal(durationOf({ AUDLEN: '1500' }), 1500);
});

test('large plain pictures show a preview, sealed ones themselves, very large ones wait for a press', () => {
  assert.equal(formOf(picture({ FILE_SIZE: '90000' })), 'whole');
  assert.equal(formOf(picture({ FILE_SIZE: '900000' })), 'preview');
  assert.equal(formOf(picture({ FILE_SIZE: '900000' }, 'opened')), 'whole');
  assert.equal(formOf(picture({ FILE_SIZE: '90000000' }, 'opened')), 'nothing');
  assert.equal(formOf(picture({ FILE_SIZE: '900000', MEDIA_CONTENT_INFO: '{"animated":true}' })), 'whole');
});

test('a message belongs to the chat with the other person, or to its group', () => {
  assert.equal(chatOf(picture({}), 'ua'), 'ub');
  assert.equal(chatOf(picture({}), 'ub'), 'ua');
});

test('the type of a file decides as what it is sent; documents that can hold scripts are files', () => {
  const kinds = ['image/jpeg', 'image/heic', 'image/svg+xml', 'video/mp4', 'audio/webm;codecs=opus', 'text/html', ''];
  assert.deepEqual(
    kinds.map((type) => kindOfFile({ type })),
    ['image', 'convertible', 'file', 'video', 'audio', 'file', 'file'],
  );
  assert.equal(withEnding('a.b.heic', 'jpg'), 'a.b.jpg');
});

test('pictures are recognized by their bytes, whatever their name says', () => {
  assert.equal(pictureType(bytes([0xff, 0xd8, 0xff, 0xe0])), 'image/jpeg');
  assert.equal(pictureType(bytes([0x89], 'PNG\r\n')), 'image/png');
  assert.equal(pictureType(bytes('GIF89a')), 'image/gif');
  assert.equal(pictureType(bytes('RIFF', [0, 0, 0, 0], 'WEBP')), 'image/webp');
  assert.equal(pictureType(bytes('<svg xmlns="http://www.w3.org/2000/svg">')), undefined);
  assert.equal(pictureType(bytes('<!doctype html>')), undefined);
  assert.equal(pictureType(bytes()), undefined);
  const webp = (flags: number) => bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, flags]);
  assert.deepEqual([isMoving(webp(2)), isMoving(webp(0)), isMoving(bytes('GIF89a'))], [true, false, true]);
  assert.equal(playableType(bytes([0x1a, 0x45, 0xdf, 0xa3]), 'video'), 'video/webm');
  assert.equal(playableType(bytes([0, 0, 0, 32], 'ftypisom'), 'audio'), 'audio/mp4');
  assert.equal(playableType(bytes('<html>'), 'video'), '');
});

test('names of files lose folders and hidden signs, and keep their ending', () => {
  assert.equal(safeFileName('../../etc/passwd', 'file'), 'passwd');
  assert.equal(safeFileName('C:\\temp\\a.txt', 'file'), 'a.txt');
  assert.equal(safeFileName('photo\u202Egnp.exe', 'file'), 'photognp.exe');
  assert.equal(safeFileName('a\u0000b\nc.txt', 'file'), 'abc.txt');
  assert.equal(safeFileName('..', 'file'), 'file');
  assert.equal(safeFileName(undefined, 'file'), 'file');
  assert.equal(safeFileName('日本 語.pdf', 'file'), '日本 語.pdf');
  const long = safeFileName(`${'x'.repeat(300)}.pdf`, 'file');
  assert.deepEqual([long.length, long.slice(-4)], [120, '.pdf']);
});

test('a name of a file without room keeps its ending in view, and never loses a character', () => {
  assert.deepEqual(nameParts('Quarterly report of the harbour.pdf'), ['Quarterly report of the ha', 'rbour.pdf']);
  assert.deepEqual(nameParts('short.pdf'), ['short', '.pdf']);
  assert.deepEqual(nameParts('a name without an ending'), ['a name without an e', 'nding']);
  assert.deepEqual(nameParts('.pdf'), ['', '.pdf']);
  assert.deepEqual(nameParts('👨‍👩‍👧👨‍👩‍👧 สวัสดีที่ครับผม.txt')[0], '👨‍👩‍👧👨‍👩‍👧 สวัสดีที่');
});

test('only places on Earth have links', () => {
  const point = pointOf({ latitude: -33.8568, longitude: 151.2153 });
  assert.ok(point);
  assert.equal(coordinates(point), '-33.85680, 151.21530');
  assert.match(webMap(point), /^https:\/\/www\.openstreetmap\.org\/\?mlat=-33\.85680&mlon=151\.21530#/);
  assert.equal(pointOf({ latitude: 91, longitude: 0 }), undefined);
  assert.equal(pointOf({ latitude: Number.NaN, longitude: 0 }), undefined);
  assert.equal(pointOf({ title: 'nowhere' }), undefined);
});

test('the stickers of a pack have their ids and texts in order', () => {
  const product = { id: '1', name: 'Pack', latestVersion: '2', attributes: { texts: '["[hello?]","[yes]"]' } };
  const stickerIdRanges = [{ start: '9007199254740993', size: 2 }];
  assert.deepEqual(
    packOf({ ...product, productTypeSummary: { stickerSummary: { stickerIdRanges, stickerResourceType: 1 } } })
      .stickers,
    [
      { packageId: '1', stickerId: '9007199254740993', version: '2', text: '[hello?]' },
      { packageId: '1', stickerId: '9007199254740994', version: '2', text: '[yes]' },
    ],
  );
  assert.deepEqual(packOf({ ...product, attributes: { texts: 'none' }, productTypeSummary: {} }).stickers, []);
});

test('stickers that were used last come first, each once; a spoilt list is empty', () => {
  const sticker = (stickerId: string) => ({ packageId: '1', stickerId, version: '1', text: '' });
  const used = withUsed(withUsed(withUsed([], sticker('1')), sticker('2')), sticker('1'));
  assert.deepEqual(
    used.map(({ stickerId }) => stickerId),
    ['1', '2'],
  );
  assert.deepEqual(parseUsed(JSON.stringify([...used, { stickerId: 3 }])), used);
  assert.deepEqual(parseUsed('{'), []);
  assert.deepEqual(parseUsed(null), []);
});

test('progress is told once for each percent', () => {
  const told: number[] = [];
  const tell = inPercents(({ done }) => told.push(done));
  for (const done of [0, 1, 5, 10, 19, 500, 1000]) tell({ id: 'a', done, total: 1000 });
  assert.deepEqual(told, [0, 10, 500, 1000]);
});

describe('the shelf of loaded media', () => {
  function aShelf(mostBytes: number) {
    let last = 0;
    const revoked: string[] = [];
    const shelf = new MediaShelf({
      mostBytes,
      createUrl: () => `url-${++last}`,
      revokeUrl: (url) => revoked.push(url),
      problemOf: (error) => {
        const { message } = error as Error;
        return message === 'called off' ? undefined : { reason: message, text: { id: message }, passing: true };
      },
    });
    return { shelf, revoked };
  }
  const blob = (size: number): Blob => new Blob([new Uint8Array(size)]);
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('two users share one load, and what nobody uses is given up beyond the limit, the oldest first', async () => {
    const { shelf, revoked } = aShelf(100);
    let loads = 0;
    const load = async () => {
      loads += 1;
      return blob(60);
    };
    const first = shelf.hold('a', load);
    const second = shelf.hold('a', load);
    await settled();
    assert.equal(loads, 1);
    const other = shelf.hold('b', load);
    await settled();
    assert.deepEqual(revoked, [], 'both are in use');
    first();
    first();
    assert.equal(shelf.get('a').state, 'ready', 'one user is left');
    second();
    assert.deepEqual(revoked, ['url-1']);
    assert.equal(shelf.get('a').state, 'none');
    other();
    assert.equal(shelf.get('b').state, 'ready', 'it fits');
  });

  test('a failure is told, tried again, and forgotten with its last user', async () => {
    const { shelf } = aShelf(100);
    const failing = async () => {
      throw new Error('gone');
    };
    const release = shelf.hold('a', failing);
    await settled();
    assert.equal(shelf.get('a').state, 'failed');
    shelf.retry('a', async () => blob(1));
    await settled();
    assert.equal(shelf.get('a').state, 'ready');
    release();
    shelf.hold('b', failing)();
    await settled();
    assert.equal(shelf.get('b').state, 'none');
  });

  test('what was called off can be asked for again; a logout gives up everything', async () => {
    const { shelf, revoked } = aShelf(100);
    shelf.hold('a', async () => {
      throw new Error('called off');
    });
    await settled();
    assert.equal(shelf.get('a').state, 'none');
    shelf.retry('a', async () => blob(1));
    await settled();
    assert.equal(shelf.get('a').state, 'ready');
    shelf.put('b', blob(5));
    let resolve: (loaded: Blob) => void = () => {};
    shelf.hold('c', () => new Promise((done) => (resolve = done)));
    shelf.clear();
    resolve(blob(5));
    await settled();
    assert.deepEqual(revoked, ['url-1', 'url-2']);
    assert.equal(shelf.get('c').state, 'none', 'what arrives after the logout is not kept');
  });
});

describe('the files in the composer', () => {
  function anAttachments(fails: (name: string) => boolean = () => false) {
    const queued: [string, string | undefined][] = [];
    const revoked: string[] = [];
    const attachments = createAttachments({
      prepare: async (file): Promise<OutgoingMedia> => ({
        ...{ kind: 'image', name: file.name, bytes: file },
        preview: { bytes: new Uint8Array(1), width: 1, height: 1 },
      }),
      queue: async ({ name }, replyTo) => {
        if (fails(name)) throw new Error('the store is full');
        queued.push([name, replyTo]);
      },
      createUrl: () => 'url',
      revokeUrl: (url) => revoked.push(url),
    });
    return { attachments, queued, revoked };
  }
  const file = (name: string): File => new File(['x'], name);

  test('they are sent in order, also while they are read, and only the first answers', async () => {
    const { attachments, queued, revoked } = anAttachments();
    attachments.add([file('a'), file('b')]);
    attachments.add([file('c')]);
    await attachments.send('7');
    assert.deepEqual(queued, [
      ['a', '7'],
      ['b', undefined],
      ['c', undefined],
    ]);
    assert.deepEqual(attachments.store.getState(), []);
    assert.equal(revoked.length, 3);
  });

  test('a second press on Send sends no file twice, and a file that is taken away meanwhile is not sent', async () => {
    const { attachments, queued } = anAttachments();
    attachments.add([file('a'), file('b'), file('c')]);
    const both = [attachments.send('7'), attachments.send(undefined)];
    attachments.remove(2);
    await Promise.all(both);
    assert.deepEqual(queued, [
      ['a', '7'],
      ['c', undefined],
    ]);
  });

  test('what is taken away is not sent, and what could not be queued stays', async () => {
    const { attachments, queued } = anAttachments((name) => name === 'c');
    attachments.add([file('a'), file('b'), file('c')]);
    attachments.remove(1);
    await assert.rejects(attachments.send(undefined), /full/);
    assert.deepEqual(queued, [['b', undefined]]);
    assert.deepEqual(
      attachments.store.getState().map(({ name }) => name),
      ['c'],
    );
  });
});
