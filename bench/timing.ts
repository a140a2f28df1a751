// `npm run bench:timing`: tests whether the time of a refusal tells its reason. It compares wrong credentials of all kinds.
// It compares ids that are not for the caller with ids that were never issued, and signatures that are wrong in different
// places.
//   --only logins,ids,signatures  runs parts
//   --samples n   pairs of refusals for each comparison, 2000 without it
//   --logins n    logins with each kind of credential, 300 without it
import { rmSync } from 'node:fs';
import { readOptions } from '@sealpost/dev-env/program-options';
import { dataFolder, type Gateway, logIn, makeUsers, startGateway } from './gateway.ts';
import { type Comparison, compare, comparisonTable } from './timing/compare.ts';
import { measureLogins } from './timing/logins.ts';
import { measureIds, measureSignatures } from './timing/refusals.ts';

const { values: options } = readOptions(import.meta.filename, {
  options: {
    only: { type: 'string', default: 'logins,ids,signatures' },
    samples: { type: 'string', default: '2000' },
    logins: { type: 'string', default: '300' },
  },
});
const samples = Number(options.samples);
const say = (text: string): void => void process.stderr.write(`${text}\n`);

interface Part {
  readonly head: string;
  readonly unit: 'ms' | 'µs';
  measure(gateway: Gateway): Promise<Comparison[]>;
}

const parts: Readonly<Record<string, Part>> = {
  logins: {
    head: 'bad credential, beside a wrong password',
    unit: 'ms',
    measure: (gateway) => measureLogins(gateway, Number(options.logins), say),
  },
  ids: {
    head: 'call with the id of something foreign, beside an absent id',
    unit: 'µs',
    measure: (gateway) => measureIds(gateway, samples, say),
  },
  signatures: {
    head: 'signature, beside one that is wrong in the first byte',
    unit: 'µs',
    async measure(gateway) {
      await makeUsers(gateway, 1);
      return measureSignatures(gateway, await logIn(gateway, 0), samples);
    },
  },
};

for (const name of options.only.split(',')) {
  const part = parts[name];
  if (!part) throw new Error(`no part ${name}; there are ${Object.keys(parts).join(', ')}`);
  const folder = dataFolder();
  const gateway = await startGateway(folder);
  try {
    const comparisons = await part.measure(gateway);
    const compared = comparisons.map((one) => compare(one, comparisons.length));
    process.stdout.write(`${comparisonTable(part.head, compared, part.unit, part.unit === 'ms' ? 1 : 1000)}\n`);
    process.stdout.write(`${comparisons[0]?.times.length} pairs of each\n\n`);
  } finally {
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
