import { limits, pathOf } from '@sealpost/contract';
import { methodNames, methodOf } from '@sealpost/contract/schemas';
import { expectError, expectSuccess } from '../answers.ts';
import { scenarios } from '../check.ts';
import { expectEqual, expectThat } from '../mismatch.ts';

const heading = 'Wire conventions';

export const envelope = scenarios('envelope', {
  compact: {
    endpoint: 'TalkService.getServerTime',
    heading,
    expects:
      'A success is written as {"code":0,"message":"OK","data":…} without spaces, for clients that search the text',
    async run({ account, raw }) {
      const alice = await account();
      const { text } = await raw.call('TalkService.getServerTime', [], alice.token);
      expectThat(/^\{"code":0,"message":"OK","data":"\d+"\}$/.test(text), '{"code":0,"message":"OK","data":"…"}', text);
    },
  },
  exception: {
    endpoint: 'TalkService.getContact',
    heading: 'Errors',
    expects: 'An exception is HTTP 400 with code 10051; data has name, code before reason, and parameterMap',
    async run({ account, raw }) {
      const alice = await account();
      const answer = await raw.call('TalkService.getContact', [`u${'0'.repeat(32)}`], alice.token);
      expectError('a contact that nobody is', answer, 'NOT_FOUND');
      const form =
        /^\{"code":10051,"message":"[^"]+","data":\{"name":"TalkException",.*"code":5,"reason":"[^"]+".*\}\}$/;
      expectThat(form.test(answer.text), 'an exception in compact JSON with code before reason', answer.text);
      expectEqual('parameterMap to be', answer.body.data?.parameterMap, null);
    },
  },
  'unknown-path': {
    endpoint: 'TalkService.getProfile',
    heading: 'Errors',
    expects: 'A path that is not an endpoint answers HTTP 404 with an envelope',
    async run({ raw }) {
      const service = '/api/talk/thrift/Talk/TalkService';
      const paths = [`${service}/noSuchMethod`, service, `${service}/getProfile/`, `${service}/__proto__`, '/api/'];
      for (const path of paths) expectError(path, await raw.send(path, { body: '[]' }), 'NOT_FOUND_PATH');
    },
  },
  'large-body': {
    endpoint: 'TalkService.sendMessage',
    heading: 'Limits',
    expects: 'A body above the limit answers HTTP 413 with an envelope',
    async run({ account, raw }) {
      const alice = await account();
      const body = JSON.stringify(['x'.repeat(limits.rpcBodyBytes.value)]);
      const answer = await raw.send(pathOf('TalkService.sendMessage'), { body, token: alice.token });
      expectError('a large body', answer, 'BODY_TOO_LARGE');
    },
  },
  'doubled-prefix': {
    endpoint: 'TalkService.getProfile',
    heading: 'Endpoints',
    expects: 'The endpoints that are listed with a doubled /api/ prefix also answer there, and no others do',
    async run({ account, raw }) {
      const alice = await account();
      for (const method of methodNames) {
        const { status, text } = await raw.send(`/api${pathOf(method)}`, { body: '[]', token: alice.token });
        const served = methodOf(method).doubledPrefix === true;
        expectThat((status !== 404) === served, `${method} ${served ? '' : 'not '}to be at /api/api/…`, text);
      }
    },
  },
  blanks: {
    endpoint: 'TalkService.getMessageBoxes',
    heading,
    expects: 'A body with spaces between its tokens is read like one without',
    async run({ account, raw }) {
      const alice = await account();
      const body = '[ { "activeOnly" : true , "messageBoxCountLimit" : 5 } , 2 ]';
      const answer = await raw.send(pathOf('TalkService.getMessageBoxes'), { body, token: alice.token });
      expectEqual('no boxes yet', expectSuccess('getMessageBoxes', answer), { messageBoxes: [], hasNext: false });
    },
  },
});
