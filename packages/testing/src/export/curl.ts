// Writes a recorded call as a curl command for a POSIX shell.
import type { CallRecord } from '@sealpost/contract/workbench';
import { headerOf } from '../wire/headers.ts';
import { type Destination, keptBytes, originOf, ownHeaders } from './record-parts.ts';

/** Returns a word in quotes, or as it is if a shell needs no quotes. */
const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Returns the names of the headers that curl adds by itself to a request with or without a body. */
const ADDED = (hasBody: boolean) => ['User-Agent', 'Accept', ...(hasBody ? ['Content-Type'] : [])];

/**
 * Returns a curl command that sends exactly the bytes of a call: the same path, headers and body, so that its signature
 * is still valid.
 */
export function curlOf(record: CallRecord, destination: Destination = {}): string {
  const { verb, path, headers, body, bodyForm, bodyBytes } = record;
  const hasBody = body !== '';
  const isBinary = bodyForm === 'base64';
  const own = ownHeaders(headers);
  const absent = ADDED(hasBody).filter((name) => headerOf(headers, name) === undefined);
  const words = [
    'curl',
    // Without these options, curl takes brackets for patterns and removes dots from paths.
    ...(/[[\]{}]/.test(path) ? ['--globoff'] : []),
    ...(/\/\.\.?(?:[/?]|$)/.test(path) ? ['--path-as-is'] : []),
    ...(verb === 'HEAD' ? ['--head'] : verb === (hasBody ? 'POST' : 'GET') ? [] : ['--request', verb]),
    quoted(originOf(record, destination) + path),
  ];
  const lines = [
    words.join(' '),
    ...own.map(([name, value]) => `--header ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...absent.map((name) => `--header '${name}:'`),
    ...(headerOf(headers, 'Accept-Encoding') === undefined ? [] : ['--compressed']),
    ...(isStream(record) ? ['--no-buffer'] : []),
    ...(hasBody ? [isBinary ? '--data-binary @-' : `--data-raw ${quoted(body)}`] : []),
  ];
  const command = lines.join(' \\\n  ');
  const piped = isBinary && hasBody ? `printf %s ${body} | base64 -d | ${command}` : command;
  const kept = hasBody ? keptBytes(body, bodyForm) : 0;
  return kept < bodyBytes ? `# Only the first ${kept} of ${bodyBytes} bytes of the body were kept.\n${piped}` : piped;
}

const isStream = ({ headers, answerHeaders }: CallRecord): boolean =>
  [headerOf(headers, 'Accept'), headerOf(answerHeaders, 'Content-Type')].some((type) =>
    type?.includes('text/event-stream'),
  );
