// `npm run bench:web`: measures the web client in Chromium, on a real server with a large account.
//   --quick        a small account and few repetitions; writes nothing
//   --only a,b     measures only these of the parts that `parts` below lists
//   --minutes n    minutes during which the heaps are watched
//   --profile      writes processor profiles of the page into bench-profiles/
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { readOptions } from '@sealpost/dev-env/program-options';
import { dataFolder } from './gateway.ts';
import { withSection } from './page-section.ts';
import { createUndo, type Undo } from './undo.ts';
import type { Figure, Findings } from './web/figures.ts';
import { type Bench, fullAmounts, quickAmounts } from './web/parts.ts';
import { measureFlood, measureMemory } from './web/parts-flow.ts';
import {
  measureLoads,
  measureOffline,
  measureOlder,
  measureOpening,
  measureOwn,
  measureSearch,
  measureTyping,
} from './web/parts-page.ts';
import { openPlace } from './web/place.ts';
import { svgOf } from './web/plot.ts';
import { profiled } from './web/profile.ts';
import { figureTable, type Measured, sectionText, WEB_SECTION } from './web/report.ts';
import { slowNetwork } from './web/slow-network.ts';
import { openAccount, startBrowser } from './web/tab.ts';

const PAGE = path.join(import.meta.dirname, '../docs/performance.md');
const PLOTS = path.join(import.meta.dirname, '../docs/plots');
/** The file with the last results of each part. With it, parts can be measured one by one. */
const MEASURED = path.join(PLOTS, 'web.json');

/**
 * The parts, in the order in which they run. Memory is measured before the search, because the search loads all
 * messages into the browser.
 */
const parts: Readonly<Record<string, (bench: Bench) => Promise<Findings>>> = {
  load: measureLoads,
  typing: measureTyping,
  own: measureOwn,
  older: measureOlder,
  opening: measureOpening,
  offline: measureOffline,
  flood: measureFlood,
  memory: measureMemory,
  search: measureSearch,
};

const { values: options } = readOptions(import.meta.filename, {
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(parts).join(',') },
    minutes: { type: 'string' },
    profile: { type: 'boolean', default: false },
  },
});
const usual = options.quick ? quickAmounts : fullAmounts;
const amounts = { ...usual, memoryMinutes: Number(options.minutes ?? usual.memoryMinutes) };
const wanted = options.only.split(',');
const unknown = wanted.filter((name) => !parts[name]);
if (unknown.length > 0)
  throw new Error(`there is no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`);

const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function run({ later }: Undo): Promise<void> {
  const folder = later(dataFolder(), (path) => rmSync(path, { recursive: true, force: true }));
  say('filling the account');
  const place = later(await openPlace(folder, amounts), (it) => it.close());
  const browser = later(await startBrowser(), (it) => it.close());
  say('logging in');
  const network = later(await slowNetwork(place.url), (it) => it.close());
  const tab = await openAccount(browser, { url: network.url, account: place.account });
  let marks = 0;
  const bench: Bench = { place, network, browser, tab, amounts, mark: () => ++marks };
  const figures: Figure[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (!wanted.includes(name)) continue;
    say(`measuring: ${name}`);
    const found = options.profile ? await profiled(name, tab, () => measure(bench)) : await measure(bench);
    say(figureTable(found.figures));
    figures.push(...found.figures);
    if (!options.quick) keep(name, found);
  }
  process.stdout.write(`${figureTable(figures)}\n`);
}

/** Saves the results of a part, and updates the section of the page. */
function keep(name: string, { figures, plots = [] }: Findings): void {
  mkdirSync(PLOTS, { recursive: true });
  for (const plot of plots) writeFileSync(path.join(PLOTS, `${plot.file}.svg`), svgOf(plot));
  const known = existsSync(MEASURED) ? (JSON.parse(readFileSync(MEASURED, 'utf8')) as Record<string, Measured>) : {};
  const names = plots.map(({ file, title }) => ({ file, title }));
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()})`;
  const all = { ...known, [name]: { name, machine, figures, plots: names, load: loadavg()[1] ?? 0 } };
  writeFileSync(MEASURED, `${JSON.stringify(all, undefined, 2)}\n`);
  const inOrder = Object.keys(parts).flatMap((part) => all[part] ?? []);
  writeFileSync(PAGE, withSection(readFileSync(PAGE, 'utf8'), WEB_SECTION, sectionText(inOrder, amounts)));
}

const undo = createUndo();
try {
  await run(undo);
} finally {
  await undo.all();
}
