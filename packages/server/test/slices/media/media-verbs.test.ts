// Every path of object storage and media with every HTTP method: without a token, with a stranger's and with the
// owner's. A path without a row in these tables fails the test.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { contentTypes, timelineChannel } from '@sealpost/contract';
import { type HttpEndpoint, httpEndpoints } from '@sealpost/contract/schemas';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { accessToken, type ObjectAnswer, objectClient, params, talkMeta } from '@sealpost/dev-env/object-client';
import { importPack, pngOf } from '@sealpost/dev-env/packs';
import { exchange } from '@sealpost/dev-env/raw-socket';
import { endings } from '../../../src/platform/rpc/object-paths.ts';
import { objectPlaces } from '../../../src/slices/media/names.ts';

/** PROPFIND is an HTTP method that no path here accepts. */
const verbs = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'] as const;
type Verb = (typeof verbs)[number];
/** Methods that `fetch` cannot send, with their status at every path. BREW does not exist in HTTP. */
const rawVerbs = { TRACE: 405, BREW: 400 } as const;

const callers = ['nobody', 'stranger', 'owner'] as const;
type Caller = (typeof callers)[number];

/** Three statuses, one for each caller: without a token, a stranger, the owner. */
type Cell = `${number} ${number} ${number}`;
/** The statuses of a path by HTTP method, in the order of the header `Allow`. */
type Row = { readonly [V in Verb]?: Cell };

/**
 * The kinds of names: the object, its preview and its hash object, and the name that the client chose for the upload.
 */
const nameForms = ['object', 'preview', 'hash', 'request'] as const;
type NameForm = (typeof nameForms)[number];

interface Cells {
  readonly read: Cell;
  readonly info?: Cell;
  readonly preview?: Cell;
  readonly write?: Cell;
}

/** Returns the expected statuses by the ending that follows the name in the path. */
const rowsOf = ({ read, info = read, preview = read, write }: Cells): Readonly<Record<string, Row>> => ({
  '': { ...(write && { POST: write }), GET: read, HEAD: read },
  preview: { GET: preview, HEAD: preview },
  original: { GET: read, HEAD: read },
  'info.obs': { GET: info },
  'object_info.obs': { GET: info },
  'playback.obs': { GET: info === read ? read : '401 404 404' },
});

const theirs = '401 404 200';
const absent = '401 404 404';
const whole = '401 404 423';
const readers: Readonly<Record<NameForm, Cells>> = {
  object: { read: theirs, write: whole },
  preview: { read: theirs, preview: absent, write: whole },
  hash: { read: absent, write: absent },
  // By the name that the owner's client chose, only the owner finds the object. Messages use the server's name for the
  // object.
  request: { read: absent, info: theirs, write: '401 201 423' },
};
const everybody = '200 200 200';
const nothing = '404 404 404';

/** The statuses by place and kind of name. */
const places: Readonly<Record<string, Readonly<Record<NameForm, Cells>>>> = {
  'talk/m': readers,
  'talk/emi': readers,
  // Only video has a hash object.
  'talk/emv': { ...readers, hash: { read: theirs, preview: absent, write: whole } },
  'talk/ema': readers,
  'talk/emf': readers,
  'talk/p': {
    object: { read: everybody },
    preview: { read: everybody, preview: nothing },
    hash: { read: nothing },
    request: { read: nothing },
  },
  'myhome/c': readers,
};

/** Rows by endpoint of the gateway. */
const gateway: Readonly<Record<string, Row>> = {
  uploadProfile: { POST: '401 5 200' },
  copyForMessage: { POST: '401 404 200' },
  stickerPicture: { GET: everybody, HEAD: everybody },
  stickerAnimation: { GET: nothing, HEAD: nothing },
  stickerSound: { GET: nothing, HEAD: nothing },
  sticonPicture: { GET: nothing, HEAD: nothing },
};
/** Returns the exception's code in an answer, because the gateway answers exceptions with status 200. */
const exceptionIn = ({ headers, body }: ObjectAnswer): number | undefined => {
  const json = headers.get('content-type')?.startsWith('application/json') && body.length > 0;
  return json ? JSON.parse(body.toString()).data?.code : undefined;
};
const isMedia = ({ base, path, response }: HttpEndpoint): boolean =>
  base === 'gateway' && (path.startsWith('/api/obs/') || response.form === 'bytes');

describe('every verb of every path of objects and media', () => {
  let server: TestServer;
  let objects: ReturnType<typeof objectClient>;
  const users = {} as Record<'stranger' | 'owner', TestUser>;
  const channelTokens = {} as Record<'stranger' | 'owner', string>;
  /** For each place, the names of an object in that place, and the message that carries the object. */
  const names: Record<string, Readonly<Record<NameForm, string>> & { readonly message: string }> = {};
  let reqSeq = 100;

  before(async () => {
    // Signatures are tested in another file. Without this flag, each request here would need one.
    server = await startServer({ flags: { signature: 'off' } });
    objects = objectClient(server);
    for (const name of ['stranger', 'owner'] as const) {
      users[name] = await server.user(name);
      channelTokens[name] = (await users[name].client.ChannelService.issueChannelToken(timelineChannel)).token;
    }
    for (const place of objectPlaces) names[place] = await objectIn(place);
  });
  after(() => server.close());

  function headersOf(caller: Caller, place?: string): Record<string, string> {
    const message = place && names[place]?.message;
    return {
      'X-Obs-Params': params({ ver: '2.0', name: 'x', type: 'file' }),
      ...(message && { 'X-Talk-Meta': talkMeta(message) }),
      ...(caller !== 'nobody' && {
        'X-Svc-Access': accessToken(users[caller]),
        'X-Svc-ChannelToken': channelTokens[caller],
      }),
    };
  }

  const picture = pngOf('a picture');
  const upload = async (path: string): Promise<string> => {
    const { status, headers } = await objects.send('POST', path, undefined, {
      headers: headersOf('owner'),
      body: picture,
    });
    assert.equal(status, 201, path);
    return headers.get('x-obs-oid') as string;
  };

  /** Creates a complete object with its preview. Also creates a hash object, if objects in the place have one. */
  async function objectIn(place: string) {
    const { owner } = users;
    const named = (object: string, request: string, message = '') => ({
      object,
      preview: `${object}__ud-preview`,
      hash: `${object}__ud-hash`,
      request,
      message,
    });
    const request = `reqid-${randomUUID()}`;
    const send = async (contentMetadata: Record<string, string>) => {
      const { TalkService } = owner.client;
      const message = { to: owner.mid, contentType: contentTypes.IMAGE, contentMetadata };
      return (await TalkService.sendMessage(++reqSeq, message)).id;
    };
    if (place === 'talk/p') {
      const path = `/api/obs/uploadProfile?mid=${owner.mid}`;
      const answer = await objects.send('POST', path, owner, {
        body: picture,
        headers: { 'Content-Type': 'image/png' },
      });
      const { data } = answer.json() as { data: { oid: string } };
      return named(data.oid, request);
    }
    if (place === 'talk/m') {
      const id = await send({});
      await upload(`/r/talk/m/${id}`);
      await upload(`/r/talk/m/${id}__ud-preview`);
      await upload(`/r/talk/m/${request}`);
      return named(id, request, id);
    }
    const oid = await upload(`/r/${place}/${request}`);
    await upload(`/r/${place}/${oid}__ud-preview`);
    if (place === 'talk/emv') await upload(`/r/${place}/${oid}__ud-hash`);
    if (place === 'myhome/c') return named(oid, request);
    return named(oid, request, await send({ OID: oid, SID: place.split('/')[1] as string }));
  }

  /** Returns the differences between the actual and the expected answers of all methods at a path. */
  async function compare(
    path: string,
    row: Row,
    place?: string,
    body: Buffer | string = 'another object',
  ): Promise<void> {
    const allow = [...Object.keys(row), 'OPTIONS'].join(', ');
    const expected = verbs.map((verb) => {
      const cell = row[verb] ?? (verb === 'OPTIONS' ? '204 204 204' : '405 405 405');
      return `${verb} ${cell} ${cell.startsWith('405') ? allow : ''}`;
    });
    const found: string[] = [];
    for (const verb of verbs) {
      const statuses: number[] = [];
      const allowed = new Set<string>();
      for (const caller of callers) {
        const answer = await objects.send(verb, path, undefined, {
          headers: headersOf(caller, place),
          ...(!['GET', 'HEAD'].includes(verb) && { body }),
        });
        statuses.push(exceptionIn(answer) ?? answer.status);
        allowed.add(answer.headers.get('allow') ?? '');
      }
      found.push(`${verb} ${statuses.join(' ')} ${[...allowed].join(' or ')}`);
    }
    assert.deepEqual(found, expected, path);
    for (const [verb, status] of Object.entries(rawVerbs)) {
      const head = `${verb} ${path} HTTP/1.1\r\nHost: x\r\nX-Svc-Access: ${accessToken(users.owner)}\r\n\r\n`;
      assert.equal((await exchange(server.url, head)).status, status, `${verb} ${path}`);
    }
  }

  test('the table has a row for each place of objects and for each ending of a path', () => {
    assert.deepEqual(Object.keys(places).sort(), [...objectPlaces].sort());
    assert.deepEqual(Object.keys(rowsOf(readers.object)), endings);
    const declared = Object.values(httpEndpoints as Record<string, HttpEndpoint>).flatMap(
      ({ base, path, alsoAt = [] }) => (base === 'objects' ? [path, ...alsoAt] : []),
    );
    assert.deepEqual(
      declared.sort(),
      endings.map((ending) => `/r/{service}/{sid}/{oid}${ending && `/${ending}`}`).sort(),
    );
    const media = Object.entries(httpEndpoints).filter(([, endpoint]) => isMedia(endpoint));
    assert.deepEqual(
      media.map(([name]) => name),
      Object.keys(gateway),
    );
  });

  for (const [place, forms] of Object.entries(places)) {
    test(`objects in ${place}`, async () => {
      for (const form of nameForms) {
        // The requests to the path without an ending come last, because they write the object. Afterwards, the writer
        // owns the name.
        for (const [ending, row] of Object.entries(rowsOf(forms[form])).reverse()) {
          await compare(`/r/${place}/${names[place]?.[form]}${ending && `/${ending}`}`, row, place);
        }
      }
    });
  }

  test('unknown places and unknown endings answer 404 to every HTTP method', async () => {
    const message = names['talk/m']?.object;
    for (const path of ['/r/talk/x/1', '/r/album/a/1', `/r/talk/m/${message}/other`, `/r/talk/m/${message}/`, '/r/']) {
      for (const verb of verbs) {
        const { status } = await objects.send(verb, path, undefined, { headers: headersOf('owner', 'talk/m') });
        assert.equal(status, 404, `${verb} ${path}`);
      }
    }
  });

  test('media at the gateway', async () => {
    const { id, pictures } = await importPack(server, { name: 'pack', pictures: ['one'] });
    const oid = names['talk/m']?.object;
    const copy = {
      srcPath: { service: 'talk', sid: 'm', oid },
      dstPath: { service: 'talk', sid: 'm', oid: `reqid-${randomUUID()}` },
      toMid: users.owner.mid,
    };
    const bodies: Record<string, string> = { copyForMessage: JSON.stringify(copy) };
    for (const [name, row] of Object.entries(gateway)) {
      const { path }: HttpEndpoint = httpEndpoints[name as keyof typeof httpEndpoints];
      const query = name === 'uploadProfile' ? `?mid=${users.owner.mid}` : '';
      const filled = path
        .replace('{stickerId}', pictures[0]?.id as string)
        .replace('{productId}', id)
        .replace('{sticonId}', 'none');
      await compare(filled + query, row, undefined, bodies[name] ?? picture);
    }
  });
});
