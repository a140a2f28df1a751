// Reads a curl command, as browsers copy it and documents show it.
import type { LoggedCall } from '../call.ts';
import { pathOfUrl } from './har.ts';
import { shellWords } from './shell-words.ts';
import { UnreadableCalls } from './unreadable.ts';

/** Options that have a value and do not change the signed parts of the request. */
const IGNORED_WITH_VALUE = new Set(
  '-o --output -m --max-time --connect-timeout -x --proxy --cacert --cert --key -w --write-out --resolve --retry -T --limit-rate --http-version -c --cookie-jar'.split(
    ' ',
  ),
);
const NAMES: Readonly<Record<string, string>> = {
  '-X': '--request',
  '-H': '--header',
  '-d': '--data',
  '--data-ascii': '--data',
  '-A': '--user-agent',
  '-e': '--referer',
  '-b': '--cookie',
  '-G': '--get',
  '-I': '--head',
};
const WITH_VALUE = new Set([
  '--request',
  '--header',
  '--data',
  '--data-raw',
  '--data-binary',
  '--json',
  '--user-agent',
  '--referer',
  '--cookie',
  '--url',
]);

interface Parsed {
  url?: string;
  verb?: string;
  headers: [name: string, value: string][];
  data: string[];
  get: boolean;
}

/** Returns the call of a curl command. */
export function callOfCurl(command: string): LoggedCall {
  const words = shellWords(command.replace(/^\s*\$ /, ''));
  const parsed: Parsed = { headers: [], data: [], get: false };
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const { name, value: attached } = splitOption(word);
    if (!word.startsWith('-') || word === '-') parsed.url ??= word;
    else if (IGNORED_WITH_VALUE.has(name)) at += attached === undefined ? 1 : 0;
    else if (!WITH_VALUE.has(name)) takeFlag(parsed, name);
    else {
      const value = attached ?? words[at + 1];
      if (attached === undefined) at += 1;
      if (value === undefined) throw new UnreadableCalls(`the curl option ${word} has no value`);
      take(parsed, name, value);
    }
  }
  if (parsed.url === undefined) throw new UnreadableCalls('the curl command has no address');
  const data = parsed.data.join('&');
  const path = pathOfUrl(parsed.url);
  const body = parsed.get ? '' : data;
  return {
    verb: parsed.verb ?? (parsed.get || parsed.data.length === 0 ? 'GET' : 'POST'),
    path: parsed.get && data !== '' ? `${path}${path.includes('?') ? '&' : '?'}${data}` : path,
    headers: [['Host', hostOf(parsed.url)], ...parsed.headers],
    body: Buffer.from(body),
  };
}

const hostOf = (url: string): string => url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/[/?#].*$/s, '');

/** Splits an option from its attached value, as in `-XPOST` and `--request=POST`. */
function splitOption(word: string): { readonly name: string; readonly value?: string } {
  if (/^-[A-Za-z]/.test(word)) {
    const short = word.slice(0, 2);
    const name = NAMES[short] ?? short;
    return word.length > 2 && WITH_VALUE.has(name) ? { name, value: word.slice(2) } : { name };
  }
  const [, name = word, value] = /^(--[a-z0-9-]+)=(.*)$/s.exec(word) ?? [];
  return { name: NAMES[name] ?? name, ...(value !== undefined && { value }) };
}

function takeFlag(parsed: Parsed, name: string): void {
  if (name === '--get') parsed.get = true;
  if (name === '--head') parsed.verb = 'HEAD';
}

function take(parsed: Parsed, name: string, value: string): void {
  switch (name) {
    case '--request':
      parsed.verb = value;
      break;
    case '--url':
      parsed.url = value;
      break;
    case '--header': {
      const [, header = value, content = ''] = /^([^:;]+)[:;]\s*(.*)$/s.exec(value) ?? [];
      parsed.headers.push([header.trim(), content]);
      break;
    }
    case '--user-agent':
      parsed.headers.push(['User-Agent', value]);
      break;
    case '--referer':
      parsed.headers.push(['Referer', value]);
      break;
    case '--cookie':
      parsed.headers.push(['Cookie', value]);
      break;
    default:
      if (value.startsWith('@') && name !== '--data-raw') {
        throw new UnreadableCalls(`the body is in the file ${value.slice(1)}: give it with --data-raw instead`);
      }
      parsed.data.push(value);
  }
}
