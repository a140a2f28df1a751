// Sends unexpected values in every query value, header and body of the endpoints outside of RPC.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  bodyWith,
  createRawClient,
  errorsOf,
  placesIn,
  type RawAnswer,
  type RawClient,
  wrongValues,
} from '@sealpost/conformance/testing';
import { always, contentTypes, type ErrorName, timelineChannel } from '@sealpost/contract';
import { type HttpEndpoint, httpEndpoints } from '@sealpost/contract/schemas';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { params, talkMeta } from '@sealpost/dev-env/object-client';

const wrongTexts = [
  ...['', '%00', '%ff', '%', '-1', '1.5', '1e400', 'null', '[]', '{}', 'constructor', '%F0%9F', '..%2f..'],
  ...['9007199254740993', '18446744073709551616', "'%20or%201=1;--", 'x'.repeat(8000)],
];
const wrongHeaders = [
  '',
  ' ',
  'x',
  '-1',
  'bytes',
  'bytes=',
  'e30=',
  params(null),
  params([]),
  params({ name: 1 }),
].concat(
  ...[
    'bytes=5-1',
    'bytes=-0',
    `bytes=${'0-1,'.repeat(500)}5-6`,
    'bytes 0-0/0',
    'bytes 0-9007199254740993/9007199254740994',
  ],
  ...['"', 'W/"', '*', '\u00e4', 'x'.repeat(7000), params({ message: 'AAAA' }), params({ message: 5 }), talkMeta('x')],
);
const objectHeaders = ['Range', 'If-None-Match', 'If-Range', 'X-Obs-Params', 'X-Talk-Meta', 'X-LST'];

const endpoints = Object.entries(httpEndpoints) as [string, HttpEndpoint][];
const verbsOf = ({ verbs }: HttpEndpoint): string[] => Object.keys(verbs).filter((verb) => verb !== 'HEAD');

for (const kind of databases) {
  describe(`bad input outside of RPC on ${kind}`, () => {
    let server: TestServer;
    let raw: RawClient;
    let caller: TestUser;
    let headers: Record<string, string>;
    let token: string;
    let bodies: Readonly<Record<string, unknown>>;
    let message: string;

    before(async () => {
      server = await startServer({ database: kind });
      raw = createRawClient({ url: server.url });
      caller = await server.user('caller');
      token = caller.client.session?.tokens.accessToken as string;
      const channel = await caller.client.ChannelService.issueChannelToken(timelineChannel);
      headers = { 'X-Svc-ChannelToken': channel.token, 'X-LST': '1000' };
      const sent = { to: caller.mid, contentType: contentTypes.FILE };
      message = (await caller.client.TalkService.sendMessage(100, sent)).id;
      const place = { service: 'talk', sid: 'm', oid: message };
      bodies = {
        tokenRefresh: { refreshToken: 'none', retryCount: 1 },
        updateCover: { objectId: '' },
        copyForMessage: {
          ...{ srcPath: place, dstPath: { ...place, oid: `reqid-${randomUUID()}` }, toMid: caller.mid },
          ...{ isOriginal: true, reqSeq: 3, talkMeta: '' },
        },
      };
    });
    after(async () => {
      raw.close();
      await server.close();
    });

    /** Returns the path with sample values in its placeholders. */
    const pathOf = ({ path }: HttpEndpoint): string =>
      path.replace('{service}/{sid}/{oid}', `talk/m/${message}`).replaceAll(/\{\w+\}/g, '1');

    /** Returns what is wrong with the server's answer; undefined if nothing is. */
    function complaint({ errors }: HttpEndpoint, answer: RawAnswer): string | undefined {
      if (answer.status < 400) return undefined;
      if (answer.status >= 500) return `HTTP ${answer.status}: ${answer.text.slice(0, 200)}`;
      const declared: readonly ErrorName[] = [...always, ...errors, 'NOT_FOUND_PATH', 'METHOD_NOT_ALLOWED'];
      const names = errorsOf(answer);
      return names.some((name) => declared.includes(name)) ? undefined : `${names}: ${answer.text.slice(0, 200)}`;
    }

    /** Returns the status of an event stream. Its headers come at once, but its body would never end. */
    async function opens(path: string): Promise<number> {
      const stop = new AbortController();
      const { status } = await fetch(server.url + path, { headers: { 'X-Svc-Access': token }, signal: stop.signal });
      stop.abort();
      return status;
    }

    for (const [name, endpoint] of endpoints) {
      const names = Object.keys((endpoint.query as { properties?: object } | undefined)?.properties ?? {});

      if (names.length > 0) {
        test(`${name} answers wrong query values with typed errors`, async () => {
          const problems: string[] = [];
          const queries = names.flatMap((key) => [
            `${key}=1&${key}=2`,
            ...wrongTexts.map((value) => `${key}=${value}`),
          ]);
          for (const query of [...queries, '?', '&&&', '=', '%']) {
            const path = `${pathOf(endpoint)}?${query}`;
            if (name === 'operationReceive') {
              const status = await opens(path);
              if (status >= 500) problems.push(`${query.slice(0, 60)}: ${status}`);
              continue;
            }
            for (const verb of verbsOf(endpoint)) {
              const problem = complaint(endpoint, await raw.send(path, { verb, token, headers }));
              if (problem) problems.push(`${verb} ${query.slice(0, 60)}: ${problem}`);
            }
          }
          assert.deepEqual(problems, []);
        });
      }

      if (endpoint.body) {
        test(`${name} answers wrong bodies with typed errors`, async () => {
          const problems: string[] = [];
          const sample = bodies[name];
          assert.equal(sample !== undefined, endpoint.body?.schema !== undefined, 'a body for each that has a schema');
          const wrong = [
            ...['', '[]', 'null', '1', '"x"', '{', '\u0000', 'x'.repeat(300_000)],
            ...placesIn(sample).flatMap((place) =>
              Object.values(wrongValues).map((value) => bodyWith(sample as readonly unknown[], place, value)),
            ),
          ];
          for (const body of wrong) {
            const path = name === 'directObject' ? `/r/talk/emf/reqid-${randomUUID()}` : pathOf(endpoint);
            const problem = complaint(endpoint, await raw.send(path, { body, token, headers }));
            if (problem) problems.push(`${body.slice(0, 80)}: ${problem}`);
          }
          assert.deepEqual(problems, []);
        });
      }

      const schema = endpoint.body?.schema as { required?: readonly string[] } | undefined;
      if (schema) {
        test(`${name} tells a wrong JSON type in its body from a missing field, by name`, async () => {
          const sample = bodies[name] as Readonly<Record<string, unknown>>;
          const refusal = async (body: unknown) => {
            const answer = await raw.send(pathOf(endpoint), { body: JSON.stringify(body), token, headers });
            return [answer.body.code, answer.body.message] as const;
          };
          for (const body of [[], null, 'x', 5]) {
            const [code, message] = await refusal(body);
            assert.deepEqual([code, message], [10003, 'the body must be a JSON object'], JSON.stringify(body));
          }
          for (const field of Object.keys(sample)) {
            const [code, message] = await refusal({ ...sample, [field]: [] });
            assert.equal(code, 10102, `${field}: ${message}`);
            assert.match(String(message), new RegExp(`^body\\.${field} must be`));
          }
          for (const field of schema.required ?? []) {
            const [code, message] = await refusal({ ...sample, [field]: undefined });
            assert.equal(code, 10003, `${field}: ${message}`);
            assert.match(String(message), new RegExp(`\\b${field}\\b`));
          }
        });
      }

      test(`${name} answers wrong headers with typed errors`, async () => {
        const problems: string[] = [];
        if (name === 'operationReceive') {
          for (const value of wrongTexts.filter((text) => !text.includes('\u0000'))) {
            const stop = new AbortController();
            const own = { 'X-Svc-Access': token, 'Last-Event-ID': value };
            const { status } = await fetch(server.url + endpoint.path, { headers: own, signal: stop.signal });
            stop.abort();
            if (status >= 500) problems.push(`${value.slice(0, 40)}: ${status}`);
          }
        } else {
          for (const verb of verbsOf(endpoint)) {
            for (const header of objectHeaders) {
              for (const value of wrongHeaders) {
                const path = pathOf(endpoint);
                const answer = await raw.send(path, { verb, token, headers: { ...headers, [header]: value } });
                const problem = complaint(endpoint, answer);
                if (problem) problems.push(`${verb} ${header}: ${value.slice(0, 40)}: ${problem}`);
              }
            }
          }
        }
        assert.deepEqual(problems, []);
      });
    }
  });
}
