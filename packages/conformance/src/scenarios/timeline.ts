import { brandHeader, httpPaths, timelineChannel } from '@sealpost/contract';
import { httpEndpoints } from '@sealpost/contract/schemas';
import { expectError, expectSchema, expectSuccess } from '../answers.ts';
import { scenarios } from '../check.ts';
import { expectEqual } from '../mismatch.ts';
import type { Person } from '../person.ts';
import type { RawRequest } from '../raw-client.ts';
import type { World } from '../world.ts';

const heading = 'none: an endpoint beyond the specification (compatibility)';

async function send({ raw }: World, person: Person, path: string, request: RawRequest) {
  const { token } = await person.call('ChannelService.issueChannelToken', timelineChannel);
  const headers = { [brandHeader(raw.brand, 'channelToken')]: token };
  return raw.send(path, { token: person.token, headers, ...request });
}

export const timeline = scenarios('timeline', {
  home: {
    endpoint: 'homeId',
    heading,
    expects: 'The home of a user has its mid; without a channel token it is refused',
    async run(world) {
      const alice = await world.account();
      const answer = await send(world, alice, httpPaths.homeId, { verb: 'GET' });
      const home = expectSuccess('homeId', answer);
      expectSchema('the home', httpEndpoints.homeId.response.schema, home);
      expectEqual('the home to be', home, { homeId: alice.mid });
      const closed = await world.raw.send(httpPaths.homeId, { verb: 'GET', token: alice.token });
      expectError('homeId without a channel token', closed, 'CHANNEL_AUTHENTICATION_FAILED');
    },
  },
  cover: {
    endpoint: 'getCover',
    heading,
    expects: 'A home without a cover answers only its id',
    async run(world) {
      const alice = await world.account();
      const path = `${httpPaths.getCover}?homeId=${alice.mid}`;
      const cover = expectSuccess('getCover', await send(world, alice, path, { verb: 'GET' }));
      expectSchema('the cover', httpEndpoints.getCover.response.schema, cover);
      expectEqual('the cover to be', cover, { homeId: alice.mid });
    },
  },
  'no-cover': {
    endpoint: 'updateCover',
    heading,
    expects: 'An empty id removes the cover',
    async run(world) {
      const alice = await world.account();
      const answer = await send(world, alice, httpPaths.updateCover, { body: '{"objectId":""}' });
      const cover = expectSuccess('updateCover', answer);
      expectSchema('the cover', httpEndpoints.updateCover.response.schema, cover);
    },
  },
});
