// Writes a program that repeats a recorded call with the SDK.
import { httpPaths, servicePaths } from '@sealpost/contract';
import type { CallRecord } from '@sealpost/contract/workbench';
import { isStruct } from '../wire/loose-json.ts';
import { type Destination, originOf } from './record-parts.ts';

export interface SdkSettings extends Destination {
  /** The build token, if it is not the default one. */
  readonly buildToken?: string;
  /** The brand of the headers, if it is not the default one. */
  readonly brand?: string;
}

/**
 * Endpoints outside of RPC that the SDK calls automatically. The program that is written has the given comment in place
 * of such a call.
 */
const byItself: Readonly<Record<string, string>> = {
  tokenRefresh: '// The client renews its tokens by itself, before they expire and when a call needs it.',
  longPollLF1: '// The client polls by itself while a login waits for its confirmation: see client.login.',
  longPollJQ: '// The client polls by itself while a login waits for its confirmation: see client.login.',
};

/** Returns a TypeScript program that makes the same call with the SDK. */
export function sdkCodeOf(record: CallRecord, settings: SdkSettings = {}): string {
  const url = originOf(record, settings);
  const options = {
    url,
    ...(settings.buildToken !== undefined && { buildToken: settings.buildToken }),
    ...(settings.brand !== undefined && { brand: settings.brand }),
  };
  const call = callCode(record);
  const login =
    record.userid === undefined
      ? []
      : [`await client.login({ identifier: ${literal(record.userid)}, password: '…' });`];
  return [
    "import { createRpcClient } from '@sealpost/sdk';",
    '',
    `const client = createRpcClient(${literal(options)});`,
    ...login,
    ...call,
    'client.close();',
    '',
  ].join('\n');
}

function callCode({ endpoint, path, verb, args = {} }: CallRecord): string[] {
  if (endpoint === undefined) return [`// Nothing serves ${verb} ${path}, so the SDK has no call for it.`];
  const [service = '', method] = endpoint.split('.');
  if (method !== undefined && service in servicePaths) {
    const values = Object.values(args).map((value) => literal(value));
    return [`const result = await client.${endpoint}(${values.join(', ')});`, 'console.log(result);'];
  }
  return byItself[endpoint] !== undefined ? [byItself[endpoint]] : httpCode(endpoint, args);
}

/** The parameters of the path of an object. */
const OBJECT_PATH = ['service', 'sid', 'oid'];

function httpCode(endpoint: string, args: Readonly<Record<string, unknown>>): string[] {
  const shown = (code: string): string[] => [`const result = await ${code};`, 'console.log(result);'];
  const at = literal(Object.fromEntries(OBJECT_PATH.map((name) => [name, args[name] ?? ''])));
  const rest = Object.fromEntries(Object.entries(args).filter(([name]) => !OBJECT_PATH.includes(name)));
  switch (endpoint) {
    case 'operationReceive':
      return [
        `for await (const event of client.operations({ from: ${literal(String(args.localRev ?? 0))} })) {`,
        '  console.log(event);',
        '}',
      ];
    case 'uploadProfile':
      return [
        '// The bytes of the picture and its type.',
        "const picture = new Uint8Array(), type = 'image/png';",
        ...shown(`client.http.uploadProfile(${literal(args)}, picture, type)`),
      ];
    case 'directObject':
      return shown(`client.http.directObject(${at}, { method: 'GET' })`);
    case 'objectInfo':
      return shown(`client.http.objectInfo(${at})`);
    case 'playback':
      return shown(`client.http.playback(${at}, ${literal(rest)})`);
    case 'stickerPicture':
    case 'stickerAnimation':
    case 'stickerSound':
    case 'sticonPicture':
      return [`// Pictures of the shop need no client: fetch ${pathWith(httpPaths[endpoint], args)}.`];
    default:
      return shown(`client.http.${endpoint}(${literal(args)})`);
  }
}

const pathWith = (pattern: string, args: Readonly<Record<string, unknown>>): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(args[name] ?? '')));

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Returns a value as TypeScript. Long values are written on several lines. */
function literal(value: unknown, indent = ''): string {
  const short = onOneLine(value);
  if (short.length + indent.length <= 90 || typeof value !== 'object' || value === null) return short;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([name, item]) => `${nameOf(name)}: ${literal(item, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (!isStruct(value)) return JSON.stringify(value) ?? 'undefined';
  const fields = Object.entries(value).map(([name, item]) => `${nameOf(name)}: ${onOneLine(item)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

const nameOf = (name: string): string => (IDENTIFIER.test(name) ? name : quoted(name));

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
