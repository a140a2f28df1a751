// Serves the files of a folder of built pages. All files are read at the first request and kept in memory. So an update
// of the folder never mixes two builds, and no request can name a path outside the folder.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { namesEtag } from './if-none-match.ts';

/** The name of the file that is shown at `/`. */
export const INDEX = 'index.html';

export interface PageFile {
  readonly type: string;
  readonly cacheControl: string;
  /** The file without compression. */
  readonly plain: PageForm;
  /** The compressed forms of the file, the smallest one first. */
  readonly coded: readonly CodedForm[];
}

interface PageForm {
  readonly etag: string;
  readonly body: Buffer;
}

interface CodedForm extends PageForm {
  readonly coding: string;
}

export interface PageRequest {
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

export interface PageAnswer {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

export interface PageFolder {
  /**
   * Returns the file at the path of a request, with percent-encoding but without the query; undefined if there is none.
   */
  at(path: string): Promise<PageFile | undefined>;
}

/** Kinds of compression, the one with the smallest files first, each with the ending of its files. */
const codings = [
  { coding: 'br', ending: '.br' },
  { coding: 'gzip', ending: '.gz' },
] as const;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.mp4': 'video/mp4',
};
const BYTES = 'application/octet-stream';
/** The folder of the files whose names contain a hash of their content. So the content at such a path never changes. */
const HASHED = '/assets/';
const FOR_EVER = 'public, max-age=31536000, immutable';

export function openPageFolder(folder: string): PageFolder {
  let reading: Promise<ReadonlyMap<string, PageFile>> | undefined;
  return {
    async at(path) {
      reading ??= readFiles(folder).catch((error: unknown) => {
        // The next request tries again.
        reading = undefined;
        throw error;
      });
      return (await reading).get(path);
    },
  };
}

/** Returns all files by the paths at which they are served. Hidden files and symbolic links are left out. */
async function readFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => !name.split('/').some((part) => part.startsWith('.')));
  const all = new Set(names);
  const isCoded = (name: string) => codings.some(({ ending }) => name.endsWith(ending) && all.has(withoutLast(name)));
  const plain = names.filter((name) => !isCoded(name));
  const files = new Map(
    await Promise.all(plain.map(async (name) => [pathOf(name), await readPage(folder, name, all)] as const)),
  );
  const index = files.get(pathOf(INDEX));
  if (index) files.set('/', index);
  return files;
}

/** Returns the path at which browsers request a file. */
const pathOf = (name: string): string => `/${encodeURI(name)}`;

/** Returns a name without its last ending. */
const withoutLast = (name: string): string => name.slice(0, -extname(name).length);

async function readPage(folder: string, name: string, all: ReadonlySet<string>): Promise<PageFile> {
  const body = await readFile(join(folder, name));
  // The ETag is a hash of the content. Time and size would not do, because packages give the files of all builds the
  // same time.
  const hash = createHash('sha256').update(body).digest('base64url');
  const there = codings.filter(({ ending }) => all.has(name + ending));
  const coded = await Promise.all(
    there.map(async ({ coding, ending }) => ({
      ...{ coding, etag: `"${hash}-${coding}"` },
      body: await readFile(join(folder, name + ending)),
    })),
  );
  return {
    type: types[extname(name).toLowerCase()] ?? BYTES,
    cacheControl: pathOf(name).startsWith(HASHED) ? FOR_EVER : 'no-cache',
    plain: { etag: `"${hash}"`, body },
    coded,
  };
}

/** Returns the answer to a GET or HEAD of a file. */
export function answerWith({ type, cacheControl, plain, coded }: PageFile, request: PageRequest): PageAnswer {
  const small = coded.find(({ coding }) => accepts(request.acceptEncoding, coding));
  const { etag, body } = small ?? plain;
  const headers = {
    ...{ 'cache-control': cacheControl, etag },
    ...(coded.length > 0 && { vary: 'accept-encoding' }),
  };
  if (namesEtag(request.ifNoneMatch, etag)) return { status: 304, headers, body: undefined };
  return {
    status: 200,
    headers: { ...headers, 'content-type': type, ...(small && { 'content-encoding': small.coding }) },
    body,
  };
}

/** Returns true if a header `Accept-Encoding` allows a content coding. */
function accepts(header: string | undefined, coding: string): boolean {
  const items = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((item) => item.split(';').map((part) => part.trim()));
  const item = items.find(([name]) => name === coding) ?? items.find(([name]) => name === '*');
  return item !== undefined && !item.some((part) => /^q=0(\.0*)?$/.test(part));
}
