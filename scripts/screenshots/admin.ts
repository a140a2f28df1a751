// Takes the pictures of the administration pages: all of them for a review, and some for the documents.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type Page, sizes } from '../../packages/web/test/browsers.ts';
import { type AdminScene, adminScenes } from './admin-scenes.ts';
import { type Office, openOffice, type Size } from './office.ts';

type Theme = 'light' | 'dark';

export interface Taking {
  /** The names of the wanted pictures. If there are none, all are wanted. */
  readonly chosen: readonly string[];
  /** The folder for pictures of all scenes in all sizes. Without it, the pictures of the documents are taken. */
  readonly reviewed: string | undefined;
  readonly take: (page: Page, name: string) => Promise<void>;
  readonly shot: (page: Page, theme: Theme) => Promise<Buffer>;
  readonly failed: (name: string, error: unknown) => void;
}

export const isOfAdministration = (name: string): boolean => adminScenes.some((scene) => scene.name === name);

/** Takes the pictures. If a scene fails, the others are still taken. */
export async function takeAdministration(browser: Browser, taking: Taking): Promise<void> {
  const { chosen, reviewed, failed } = taking;
  const wanted = adminScenes.filter(
    ({ name, inDocs }) => (chosen.length === 0 || chosen.includes(name)) && (inDocs || reviewed !== undefined),
  );
  const office = await openOffice(browser);
  for (const size of reviewed === undefined ? (['desktop'] as const) : (Object.keys(sizes) as Size[])) {
    const page = await office.open(size);
    for (const scene of wanted)
      await takeScene(scene, page, office, size, taking).catch((error) => failed(scene.name, error));
    await closePage(page);
  }
  await office.close();
}

async function takeScene(scene: AdminScene, page: Page, office: Office, size: Size, taking: Taking): Promise<void> {
  const { reviewed, take, shot } = taking;
  const { name, show } = scene;
  const opened = await show(page, office, size);
  const shown = opened ?? page;
  if (reviewed === undefined) await take(shown, name);
  else {
    mkdirSync(reviewed, { recursive: true });
    for (const theme of ['light', 'dark'] as const)
      writeFileSync(join(reviewed, `${name}-${size}-${theme}.png`), await shot(shown, theme));
  }
  if (opened) await closePage(opened);
}

/** Closes a page and its context. A request that is still being answered does not fail. */
async function closePage(page: Page): Promise<void> {
  const context = page.context();
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}
