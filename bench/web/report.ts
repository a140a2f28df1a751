// Writes the results as text: the table for the terminal, and the section of docs/performance.md.
import { markdown, verdict } from '../markdown.ts';
import type { Figure, PlotName } from './figures.ts';
import type { WebAmounts } from './parts.ts';

export const WEB_SECTION = 'The web client';

/** Returns a number with a sensible number of digits. */
const shown = (value: number): string =>
  Number.isFinite(value) ? value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 10 ? 1 : 0 }) : '–';

export const figureTable = (figures: readonly Figure[]): string =>
  markdown(
    ['what', 'measured', 'bar', 'beside'],
    figures.map(({ what, value, unit, bar, beside = '–' }) => [
      what,
      `${shown(value)} ${unit}`.trim(),
      bar === undefined ? '–' : `≤ ${shown(bar)} ${unit}: ${verdict(value <= bar)}`,
      beside,
    ]),
  );

/** The last results of a part of the bench. */
export interface Measured {
  /** The name of the part. */
  readonly name: string;
  /** The cores of the machine that measured the part, such as `2 cores (AMD EPYC)`. */
  readonly machine: string;
  readonly figures: readonly Figure[];
  readonly plots: readonly PlotName[];
  /** The average load of the machine over five minutes. */
  readonly load: number;
}

export function sectionText(measured: readonly Measured[], amounts: WebAmounts): string {
  const figures = measured.flatMap((part) => part.figures);
  const plots = measured.flatMap((part) => part.plots);
  const loads = measured.map(({ load }) => load);
  const machines = [...Map.groupBy(measured, ({ machine }) => machine)].map(
    ([machine, parts]) => `${machine} for ${parts.map(({ name }) => name).join(', ')}`,
  );
  const pictures = plots.map(({ file, title }) => `![${title}](plots/${file}.svg)`).join('\n\n');
  return `## ${WEB_SECTION}

Measured with \`npm run bench:web\` (about ten minutes; \`npm run bench:web -- --quick\` takes one and writes nothing). \`--only typing,search\` measures only these anew, \`--minutes 60\` watches the heaps for an hour. This section is written by that command.

The pages are those that the server shows, in Chromium without a window, on a real server. The account has ${shown(amounts.chats)} chats with ${shown(amounts.messagesPerChat)} messages each, one with ${shown(amounts.messagesInLargeChat)}, and a group of ${shown(amounts.groupMembers)}. They were written into the database beforehand. Everything that is measured happens in the page.

- A phone is assumed as web page audits do: 1.6 Mbit/s, a round trip of 150 ms, a processor four times slower. The network is slow for workers too. "Blocking time" is what tasks took beyond 50 ms each, after the first paint.
- Chromium slows down the thread of the page only. The search works in a worker, so its time is multiplied by four, but for the 150 ms that the page waits after a key.
- A key press counts from the event to the frame that shows its effect, as the browser reports it in steps of 8 ms. Messages count until the frame in which they are in view.
- The 95th percentile is shown where there are many values, else the median.
- Heaps are read after a forced garbage collection. The growth is the slope over the last three quarters of the run.

${figureTable(figures)}

${pictures}

Machines: ${machines.join('; ')}. They have no graphics processor. Browser, server and sender share the cores. The load average was ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}; the bench alone causes about 2. Anything above that is other work, and makes all times longer.
`;
}
