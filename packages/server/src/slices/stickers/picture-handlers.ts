// Serves the public pictures and sounds of stickers and emoji over HTTP.
import { ApiError } from '@sealpost/contract';
import type { HttpCall, HttpHandlers } from '../../platform/rpc/http-requests.ts';
import type { Pictures } from './pictures.ts';

const DAY_SEC = 86_400;
const HEADERS = [
  'Cache-Control',
  `public, max-age=${DAY_SEC}`,
  'Content-Security-Policy',
  "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy',
  'cross-origin',
];

export function pictureHandlers(
  pictures: Pictures,
): Pick<HttpHandlers, 'stickerPicture' | 'stickerAnimation' | 'stickerSound' | 'sticonPicture'> {
  async function serve({ request, response, extraHeaders, header }: HttpCall): Promise<undefined> {
    const [path = ''] = (request.url ?? '').split('?');
    const picture = await pictures.find(path);
    if (!picture) throw new ApiError('NOT_FOUND_PATH', `no picture at ${path.slice(0, 200)}`);
    const { bytes, etag } = picture;
    const known = header('if-none-match')?.includes(etag) ?? false;
    const length = known ? [] : ['Content-Length', String(bytes.length)];
    const type = path.endsWith('.m4a') ? 'audio/mp4' : 'image/png';
    response.writeHead(known ? 304 : 200, ['Content-Type', type, ...HEADERS, 'ETag', etag, ...length, ...extraHeaders]);
    response.end(known ? undefined : bytes);
  }
  return { stickerPicture: serve, stickerAnimation: serve, stickerSound: serve, sticonPicture: serve };
}
