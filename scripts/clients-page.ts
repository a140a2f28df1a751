// Writes the part of docs/clients.md that is generated from the list of calls of the compatibility tests.
import { callsOfClients } from '@sealpost/dev-env/existing-calls';
import { clientKinds, type KindName } from '@sealpost/dev-env/existing-clients';

const [BEGIN, END] = ['<!-- calls tried: made by `npm run docs` -->', '<!-- end of calls tried -->'];

/** Returns the page with a new text between the two marks. */
export function clientsPage(page: string): string {
  const [before, rest = ''] = page.split(BEGIN);
  const after = rest.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/clients.md needs ${BEGIN} and ${END}`);
  const names = Object.keys(clientKinds) as readonly KindName[];
  return [before, BEGIN, '\n\n', names.map(chapterOf).join('\n'), '\n', END, after].join('');
}

function chapterOf(name: KindName): string {
  const { title, about, version } = clientKinds[name];
  const tried = new Set(Object.values(callsOfClients).flatMap((calls) => calls[name] ?? []));
  const services = Map.groupBy([...tried].sort(), (call) =>
    call.startsWith('/') ? 'Paths' : (call.split('.')[0] ?? call),
  );
  const rows = [...services].map(([service, calls]) => `| ${service} | ${calls.map(shortName).join(', ')} |`);
  return [
    `### ${title}`,
    '',
    `${about} Version ${version}, ${tried.size} calls.`,
    '',
    '| | Tried |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const shortName = (call: string): string => `\`${call.startsWith('/') ? call : call.split('.')[1]}\``;
