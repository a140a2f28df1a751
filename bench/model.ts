// `npm run model`: projects machines, storage and money from measured costs and assumptions.
//   --accounts n   a number of accounts; without it, three steps are shown
//   --<input> n    another value for an assumption of bench/model/inputs.json, such as `--messages 60`
//   --take         copies the measured figures from docs/performance.md into bench/model/inputs.json
//   --write        writes the section of docs/scaling.md and its plots
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readOptions } from '@sealpost/dev-env/program-options';
import { FIGURES, INPUTS, type Inputs, readInputs, withFigures } from './model/inputs.ts';
import { breaksText, MODEL_SECTION, modelSection, plotsOf, projectionTable, STEPS } from './model/report.ts';
import { withSection } from './page-section.ts';
import { svgOf } from './web/plot.ts';

const DOCS = path.join(import.meta.dirname, '../docs');
const PAGE = path.join(DOCS, 'scaling.md');
const inputs = readInputs();
const GROUPS = ['usage', 'machines', 'prices'] as const;
const names = GROUPS.flatMap((group) => Object.keys(inputs[group]));

const { values: options } = readOptions(import.meta.filename, {
  options: {
    ...Object.fromEntries(['accounts', ...names].map((name) => [name, { type: 'string' as const }])),
    take: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const given = options as Readonly<Record<string, string | boolean | undefined>>;

function numberOf(name: string): number | undefined {
  const text = given[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!(Number.isFinite(number) && number >= 0)) throw new Error(`--${name} is "${text}"; give a number of 0 or more`);
  return number;
}

/** Returns the inputs with the values of the command line. */
function chosen(): Inputs {
  const changed = GROUPS.map((group) => [
    group,
    Object.fromEntries(
      Object.entries(inputs[group]).map(([name, one]) => [name, { ...one, value: numberOf(name) ?? one.value }]),
    ),
  ]);
  return { ...inputs, ...Object.fromEntries(changed) };
}

if (given.take) {
  const taken = withFigures(inputs, readFileSync(FIGURES, 'utf8'), new Date().toISOString().slice(0, 10));
  writeFileSync(INPUTS, `${JSON.stringify(taken, null, 2)}\n`);
} else if (given.write) {
  const changed = names.filter((name) => given[name] !== undefined);
  if (changed.length > 0)
    throw new Error(`--write takes all values from ${INPUTS}: change ${changed.join(', ')} there`);
  writeFileSync(PAGE, withSection(readFileSync(PAGE, 'utf8'), MODEL_SECTION, modelSection(inputs)));
  for (const plot of plotsOf(inputs)) writeFileSync(path.join(DOCS, 'plots', `${plot.file}.svg`), svgOf(plot));
} else {
  const accounts = numberOf('accounts');
  const text = projectionTable(chosen(), accounts === undefined ? STEPS : [accounts]);
  process.stdout.write(`${text}\n\n${breaksText(chosen())}\n`);
}
