// What somebody may send who means harm: texts that a careless page would run or let break its layout, and files. A
// text that runs calls `__ran`, or fetches something from `elsewhere.invalid`.

const ELSEWHERE = 'https://elsewhere.invalid';
/** Combining signs above and below a letter. */
const MARKS = '\u0301\u0302\u0316\u0323\u0489'.repeat(12);

/** Texts that others can write wherever a text is shown, by what they try. */
export const hostileTexts: Readonly<Record<string, string>> = {
  script: "<script>__ran('script')</script>",
  picture: `<img src=x onerror="__ran('picture')"><img src="${ELSEWHERE}/pixel.gif">`,
  svg: "<svg onload=\"__ran('svg')\"><script>__ran('script in svg')</script></svg>",
  frame: `<iframe srcdoc="<script>parent.__ran('frame')</script>"></iframe><iframe src="${ELSEWHERE}/frame"></iframe>`,
  attribute: '" autofocus onfocus="__ran(\'attribute\')" x="',
  'single quotes': "' autofocus onfocus='__ran(1)' x='",
  'end of a comment': "--></title></textarea></style><img src=x onerror=__ran('end')>",
  style: `<style>* { display: none !important }</style><link rel="stylesheet" href="${ELSEWHERE}/style.css">`,
  base: `<base href="${ELSEWHERE}/"><meta http-equiv="refresh" content="0;url=${ELSEWHERE}/away">`,
  'address that runs': "javascript:__ran('address') https://javascript:__ran('user')@elsewhere.invalid",
  'address with data': "data:text/html,<script>parent.__ran('data')</script>",
  'address with a quote': `${ELSEWHERE}/"><img src=x onerror=__ran('link')>`,
  'address to preview': `look: ${ELSEWHERE}/article.html`,
  'markers of templates':
    "{{constructor.constructor('__ran(1)')()}} \u0024{__ran('template')} <%= __ran('erb') %> #{__ran(1)}",
  'markers of words': "{0} {name} {count, plural, one {#} other {##}} <0>zero</0> '{' %s %d $& $1",
  'names of every object': '__proto__ constructor toString hasOwnProperty',
  'turned direction': 'safe \u202egnp.exe\u202e \u2067inside \u2066',
  'other direction': 'مرحبا ABC שלום 123 https://elsewhere.invalid/مرحبا',
  'invisible signs': 'A\u200bn\u200cn\u200d\u2060\ufeff\u00ad',
  'nothing to see': '\u200b\u2060\u3164\u115f\ufeff',
  'letters that look alike': 'Аnn https://аpple.invalid/',
  'combining marks': `Z${MARKS}a${MARKS}l${MARKS}g${MARKS}o${MARKS}`,
  'one long word': 'W'.repeat(900),
  'wide signs': '\ufdfd\u{1242b}\ua9c5'.repeat(60),
  'joined emoji': '👩‍👩‍👧‍👦'.repeat(80),
  'many lines': 'line\n\t\r\n\u2028\u2029\u0085'.repeat(40),
  'control signs': 'bell\u0007 escape\u001b[31m red\u001b[0m \u009b31m delete\u007f',
  'broken percent signs': '%3Cscript%3E__ran(1)%3C/script%3E %00 %zz ../../%2e%2e/',
};

export interface HostileFile {
  readonly kind: 'file' | 'image' | 'video' | 'audio';
  readonly name: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
  /** The name under which the page may save it. */
  readonly saved: string;
}

const HTML = `<!doctype html><title>A page</title><script>__ran('file'); opener?.__ran('opened')</script>`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="__ran('svg')"><script>__ran('svg')</script>
<image href="${ELSEWHERE}/pixel.gif"/><foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="__ran(1)"/></foreignObject></svg>`;

/** Files whose names or contents try to be what they are not. */
export const hostileFiles: readonly HostileFile[] = [
  { kind: 'file', name: 'page.html', content: HTML, saved: 'page.html' },
  { kind: 'file', name: 'drawing.svg', content: SVG, saved: 'drawing.svg' },
  { kind: 'file', name: '../../../etc/passwd', content: HTML, saved: 'passwd' },
  { kind: 'file', name: 'C:\\Windows\\start.bat', content: HTML, saved: 'start.bat' },
  { kind: 'file', name: 'report.pdf.html', content: HTML, saved: 'report.pdf.html' },
  { kind: 'file', name: 'picture\u202egnp.html', content: HTML, saved: 'picturegnp.html' },
  {
    kind: 'file',
    name: `<img src=x onerror=__ran('name')>.txt`,
    content: HTML,
    saved: "_img src=x onerror=__ran('name')_.txt",
  },
  { kind: 'file', name: 'two\nlines\r\u0000.txt', content: HTML, saved: 'twolines.txt' },
  { kind: 'file', name: '.htaccess', content: HTML, saved: 'htaccess' },
  { kind: 'file', name: `${'long'.repeat(75)}.html`, content: HTML, saved: `${'long'.repeat(28)}lon.html` },
  { kind: 'file', name: '\u200b\u202e', content: HTML, saved: 'File without a name' },
];

const encoder = new TextEncoder();
const withBytes = (before: readonly number[], text: string, after: readonly number[] = []): Uint8Array<ArrayBuffer> =>
  Uint8Array.of(...before, ...encoder.encode(text), ...after);

/** What is sent as a picture, and is none. */
export const hostilePictures: readonly HostileFile[] = [
  // This one has the frame of a JPEG, and a page in the place of the pixels.
  {
    kind: 'image',
    name: 'frame.jpg',
    content: withBytes([0xff, 0xd8, 0xff, 0xda, 0, 2], HTML, [0xff, 0xd9]),
    saved: 'frame.jpg',
  },
  { kind: 'image', name: 'vector.svg', content: SVG, saved: 'vector.svg' },
  { kind: 'image', name: 'vector.png', content: SVG, saved: 'vector.png' },
  { kind: 'image', name: 'page.jpg', content: HTML, saved: 'page.jpg' },
  {
    kind: 'image',
    name: `<img src=x onerror=__ran('picture')>.webp`,
    content: withBytes([], `RIFF1234WAVE${HTML}`),
    saved: "_img src=x onerror=__ran('picture')_.webp",
  },
  { kind: 'image', name: 'moving.gif', content: `GIF88a${HTML}`, saved: 'moving.gif' },
  { kind: 'image', name: 'almost.png', content: withBytes([0x88, 0x50, 0x4e, 0x47], HTML), saved: 'almost.png' },
];
