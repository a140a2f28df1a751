import { brandHeader, clientVersion, httpPaths, pathOf } from '@sealpost/contract';
import { expectError, expectResult } from '../answers.ts';
import { scenarios } from '../check.ts';
import { expectThat } from '../mismatch.ts';
import type { RawRequest } from '../raw-client.ts';
import type { World } from '../world.ts';

const heading = 'Authentication';
const path = pathOf('TalkService.getProfile');

async function expectProfile({ raw }: World, what: string, request: RawRequest): Promise<void> {
  const answer = await raw.send(path, { body: '[]', ...request });
  expectThat(answer.status === 200, `${what} to be accepted`, answer.text);
  expectResult('TalkService.getProfile', answer);
}

export const signature = scenarios('signature', {
  bound: {
    endpoint: 'TalkService.getProfile',
    heading,
    expects: 'A signature is valid only for its token, version, path and body (in strict mode)',
    async run(world) {
      const { raw, target } = world;
      const { token } = await world.account();
      await expectProfile(world, 'the right signature', { token });
      const wrong = {
        'another token': raw.signatureOf(path, '[]', `${token}x`),
        'another version': raw.signatureOf(path, '[]', token, '3.7.1'),
        'another path': raw.signatureOf(`${path}?`, '[]', token),
        'another body': raw.signatureOf(path, '[ ]', token),
      };
      for (const [what, value] of Object.entries(wrong)) {
        if (target.signature !== 'strict') await expectProfile(world, what, { token, signature: value });
        else {
          const answer = await raw.send(path, { body: '[]', token, signature: value });
          expectError(`a signature for ${what}`, answer, 'REQUEST_INVALID_HMAC');
        }
      }
    },
  },
  'version-header': {
    endpoint: 'TalkService.getProfile',
    heading: 'Versioning',
    expects: 'The client version is read from X-<brand>-Client-Version, or from X-<brand>-Chrome-Version',
    async run(world) {
      const { raw } = world;
      const { token } = await world.account();
      const [client, chrome] = [brandHeader(raw.brand, 'clientVersion'), brandHeader(raw.brand, 'chromeVersion')];
      for (const version of [clientVersion, '3.7.1']) {
        const signed = raw.signatureOf(path, '[]', token, version);
        for (const headers of [
          { [client]: version, [chrome]: undefined },
          { [client]: undefined, [chrome]: version },
        ]) {
          await expectProfile(world, `version ${version}`, { token, signature: signed, headers });
        }
      }
    },
  },
  brand: {
    endpoint: 'TalkService.getProfile',
    heading: 'Wire conventions',
    expects: 'The token is read from X-<brand>-Access in any case, and from no header of another brand',
    async run(world) {
      const { raw } = world;
      const { token } = await world.account();
      const own = brandHeader(raw.brand, 'access');
      await expectProfile(world, 'the header in lower case', {
        token,
        headers: { [own]: undefined, [own.toLowerCase()]: token },
      });
      const foreign = { [own]: undefined, [brandHeader(`${raw.brand}x`, 'access')]: token };
      const answer = await raw.send(path, { body: '[]', headers: foreign });
      expectError('a token in the header of another brand', answer, 'REQUEST_NEED_LOGIN');
    },
  },
  'query-is-signed': {
    endpoint: 'notices',
    heading,
    expects: 'The signature of a GET covers the query, and an empty body',
    async run(world) {
      const { raw, target } = world;
      const { token } = await world.account();
      const asked = `${httpPaths.notices}?lang=en&country=JP&nextSeq=0&includeBody=true`;
      const right = await raw.send(asked, { verb: 'GET', token });
      expectThat(right.status === 200, 'the right signature to be accepted', right.text);
      if (target.signature !== 'strict') return;
      const without = raw.signatureOf(httpPaths.notices, '', token);
      const answer = await raw.send(asked, { verb: 'GET', token, signature: without });
      expectError('a signature without the query', answer, 'REQUEST_INVALID_HMAC');
    },
  },
});
