// `npm run screenshots`: takes the pictures for the documents, in light and dark, and writes them into docs/pictures.
// Arguments choose pictures: `npm run screenshots -- group contact`. `--review <folder>` writes pictures of all screens
// in all sizes into a folder instead, for people who look for faults.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '@sealpost/dev-env/harness';
import { readOptions } from '@sealpost/dev-env/program-options';
import sharp from 'sharp';
import { launchBrowser, type Page, sizes } from '../packages/web/test/browsers.ts';
import { commandPath, hasFonts, howToInstall } from './debian-packages.ts';
import { isOfAdministration, takeAdministration } from './screenshots/admin.ts';
import { gather } from './screenshots/cast.ts';
import { seededRandom, storyClock } from './screenshots/fixed.ts';
import { type Scene, scenes } from './screenshots/scenes.ts';
import { type Stage, setStage, settled } from './screenshots/stage.ts';
import { tell } from './screenshots/story.ts';

const MOST_BYTES = 36_000;
const themes = ['light', 'dark'] as const;
const folder = join(import.meta.dirname, '../docs/pictures');

const chromium = process.env.SEALPOST_TEST_CHROMIUM ?? commandPath('chromium');
if (!chromium || !hasFonts()) {
  console.error(`Screenshots need a browser and fonts: ${howToInstall('chromium')}; ${howToInstall('fonts')}.`);
  process.exit(1);
}
const { values, positionals } = readOptions(import.meta.filename, {
  options: { review: { type: 'string' } },
  allowPositionals: true,
});
mkdirSync(folder, { recursive: true });
const browser = await launchBrowser(chromium);
try {
  // The messenger and the administration have a server each, and neither starts for pictures of the other.
  if (!(positionals.length > 0 && positionals.every(isOfAdministration))) await playStory();
  if (positionals.length === 0 || positionals.some(isOfAdministration))
    await takeAdministration(browser, { chosen: positionals, reviewed: values.review, take, shot, failed });
} finally {
  await browser.close();
}

/** Plays the scenes of the messenger. */
async function playStory(): Promise<void> {
  const clock = storyClock();
  const server = await startServer({ ports: { clock, random: seededRandom('screenshots') } });
  try {
    const cast = await gather(server, clock);
    const stage = await setStage(server, browser, cast, await tell(cast, clock));
    for (const scene of scenes) await play(scene, stage);
    await cast.close();
    await stage.close();
  } finally {
    await server.close();
  }
}

/** Tells that the pictures of a scene could not be taken. The run goes on, and fails at its end. */
function failed(name: string, error: unknown): void {
  console.error(`${name}: ${(error as Error).message}`);
  process.exitCode = 1;
}

/** Takes the pictures of a scene. If this fails, the pictures of the other scenes are still taken. */
async function play(scene: Scene, stage: Stage): Promise<void> {
  const { name, page: pageOf, prepare, inDocs = true } = scene;
  try {
    const page = pageOf(stage);
    await prepare(stage);
    if (positionals.length > 0 && !positionals.includes(name)) return;
    if (values.review !== undefined) await review(scene, stage, values.review);
    else if (inDocs) await take(page, name);
  } catch (error) {
    failed(name, error);
  }
}

async function take(page: Page, name: string): Promise<void> {
  for (const colorScheme of themes) {
    const picture = await small(await shot(page, colorScheme));
    writeFileSync(join(folder, `${name}-${colorScheme}.webp`), picture);
    console.log(`${name}-${colorScheme}: ${Math.ceil(picture.length / 1000)} kB`);
  }
}

async function review({ name, page: pageOf, onPhone }: Scene, stage: Stage, into: string): Promise<void> {
  mkdirSync(into, { recursive: true });
  const page = pageOf(stage);
  const before = page.viewportSize();
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    if (viewport === sizes.phone) await onPhone?.(stage);
    for (const colorScheme of themes)
      writeFileSync(join(into, `${name}-${size}-${colorScheme}.png`), await shot(page, colorScheme));
  }
  if (before) await page.setViewportSize(before);
}

async function shot(page: Page, colorScheme: (typeof themes)[number]): Promise<Buffer> {
  await page.emulateMedia({ colorScheme });
  await settled(page);
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}

/** Returns the picture with the best quality that is small enough for the documents. */
async function small(png: Buffer): Promise<Buffer> {
  let picture = png;
  for (let quality = 85; quality > 40 && picture.length > MOST_BYTES; quality -= 10)
    picture = await sharp(png).webp({ quality, effort: 6 }).toBuffer();
  return picture;
}
