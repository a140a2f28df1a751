// Pictures for tests.
import { crc32, deflateSync } from 'node:zlib';

/** Returns a PNG file of one colour, 64 pixels wide and 48 high. */
function pngOf(red: number, green: number, blue: number): Buffer {
  const [width, height] = [64, 48];
  const line = Buffer.from([0, ...Array.from({ length: width }, () => [red, green, blue]).flat()]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** A picture as a person chooses it in a dialog for files. */
export const bluePicture = { name: 'blue.png', mimeType: 'image/png', buffer: pngOf(40, 90, 200) };
