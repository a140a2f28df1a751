// Draws the pictures in the screenshots: photographs as flat landscapes, and portraits as flat scenes.
import sharp from 'sharp';

/** A picture, and its size as a message contains it. */
export interface Photo {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

const svg = (width: number, height: number, content: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`,
  );

const gradient = (id: string, from: string, to: string): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;

/** Draws reflections on water: short lines that become longer towards the viewer. */
const ripples = (left: number, top: number, colour: string): string =>
  Array.from({ length: 7 }, (_, i) => {
    const half = 14 + i * 9;
    return `<rect x="${left - half}" y="${top + i * 17}" width="${half * 2}" height="${3 + i}" rx="3" fill="${colour}" opacity="${0.75 - i * 0.08}"/>`;
  }).join('');

const boat = (x: number, y: number, size: number, sail: string): string =>
  `<g transform="translate(${x} ${y}) scale(${size})"><path d="M-46 0h92l-16 22h-60z" fill="#4a3140"/><path d="M-4-92v86h-40z" fill="${sail}"/><path d="M4-76v70h34z" fill="#fff3e2"/></g>`;

const harbour = `<defs>${gradient('sky', '#f6b36b', '#fbe3c0')}${gradient('sea', '#d98a6c', '#7a5470')}</defs>
<rect width="720" height="480" fill="url(#sky)"/><circle cx="430" cy="232" r="62" fill="#fff0d2"/>
<path d="M0 250 120 178 210 226 330 150 460 250z" fill="#c07f77"/><path d="M380 250 520 190 600 222 720 168V250z" fill="#a86c72"/>
<rect y="248" width="720" height="232" fill="url(#sea)"/>${ripples(430, 262, '#ffe9c4')}
${boat(190, 330, 1.3, '#e9644c')}${boat(560, 296, 0.7, '#f3c14f')}`;

const pier = `<defs>${gradient('sky', '#8fb8d8', '#e8eef0')}${gradient('sea', '#5d93ad', '#2f5f78')}</defs>
<rect width="600" height="450" fill="url(#sky)"/><rect y="210" width="600" height="240" fill="url(#sea)"/>
<path d="M250 450 288 214h24l38 236z" fill="#8a6a4f"/><g fill="#6d5240"><rect x="274" y="170" width="52" height="50" rx="4"/><path d="M266 172 300 142l34 30z" fill="#b4533f"/></g>
<circle cx="112" cy="96" r="30" fill="#fff8e2"/>${ripples(112, 226, '#eaf3f3')}`;

/** The scenes of the portraits. Each has its own background colour. */
const portraits = {
  hills: `<rect width="240" height="240" fill="#f3cf9b"/><circle cx="160" cy="92" r="34" fill="#fff2cf"/><path d="M0 190 80 104l72 78 36-34 52 48v50H0z" fill="#5c8a72"/><path d="M0 212 96 158l144 66v16H0z" fill="#36604f"/>`,
  mug: `<rect width="240" height="240" fill="#d9c5e6"/><path d="M70 104h92v64a32 32 0 0 1-32 32h-28a32 32 0 0 1-32-32z" fill="#6d4a86"/><path d="M162 118h14a22 22 0 0 1 0 44h-14" fill="none" stroke="#6d4a86" stroke-width="12"/><g fill="none" stroke="#fff" stroke-width="8" stroke-linecap="round"><path d="M96 84q-12-16 0-32M124 84q-12-16 0-32"/></g>`,
  leaf: `<rect width="240" height="240" fill="#cfe3c2"/><path d="M52 190C44 96 104 44 196 46c4 92-46 152-144 144z" fill="#4d8a55"/><path d="M60 184 168 76M100 144v-44M124 120h44" stroke="#e6f2dd" stroke-width="7" fill="none" stroke-linecap="round"/>`,
  wheel: `<rect width="240" height="240" fill="#f2b8a8"/><g fill="none" stroke="#7a2f36" stroke-width="10"><circle cx="120" cy="120" r="72"/><path d="M120 48v144M48 120h144M69 69l102 102M171 69 69 171" stroke-width="5"/></g><circle cx="120" cy="120" r="14" fill="#7a2f36"/>`,
  tower: `<rect width="240" height="240" fill="#a9c9dd"/><path d="M0 200h240v40H0z" fill="#47697e"/><path d="M100 200 110 90h20l10 110z" fill="#fff"/><path d="M108 112h24l2 24h-28zM103 160h34l2 24h-38z" fill="#cc4f44"/><rect x="106" y="70" width="28" height="20" rx="3" fill="#f7d774"/><path d="M102 70h36l-18-22z" fill="#35515f"/>`,
} as const;
export type Portrait = keyof typeof portraits;

const jpeg = async (width: number, height: number, content: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(
    await sharp(svg(width, height, content))
      .jpeg({ quality: 86 })
      .toBuffer(),
  );

/** Returns the photographs that people send. */
export const photos = async (): Promise<Readonly<Record<'harbour' | 'pier', Photo>>> => ({
  harbour: { name: 'harbour.jpg', bytes: await jpeg(720, 480, harbour), width: 720, height: 480 },
  pier: { name: 'pier.jpg', bytes: await jpeg(600, 450, pier), width: 600, height: 450 },
});

export const portrait = (name: Portrait): Promise<Uint8Array<ArrayBuffer>> => jpeg(240, 240, portraits[name]);
