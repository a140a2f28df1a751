// Records processor profiles of a page and its engine during a measurement.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Tab } from './tab.ts';

const FOLDER = path.resolve('bench-profiles');

/** Runs the work, and writes one profile for each of the two threads. */
export async function profiled<T>(name: string, tab: Tab, work: () => Promise<T>): Promise<T> {
  const { engine } = tab;
  await tab.cdp.send('Profiler.enable');
  await tab.cdp.send('Profiler.start');
  await engine.send('Profiler.enable');
  await engine.send('Profiler.start');
  const result = await work();
  const page = await tab.cdp.send('Profiler.stop');
  const worker = await engine.send<{ profile: unknown }>('Profiler.stop');
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path.join(FOLDER, `web-${name}-page.cpuprofile`), JSON.stringify(page.profile));
  writeFileSync(path.join(FOLDER, `web-${name}-engine.cpuprofile`), JSON.stringify(worker.profile));
  return result;
}
