// Checks that the endpoints that are not RPCs behave as their entries in the contract declare.
import type { HttpEndpointName } from '@sealpost/contract';
import { type HttpEndpoint, httpEndpoints } from '@sealpost/contract/schemas';
import { expectError } from '../answers.ts';
import type { Check } from '../check.ts';
import { httpTopicOf } from '../headings.ts';
import type { World } from '../world.ts';

interface HttpCheck {
  readonly expects: string;
  readonly heading: string;
  readonly appliesTo: (endpoint: HttpEndpoint) => boolean;
  readonly run: (endpoint: HttpEndpoint, world: World) => Promise<void>;
}

const atGateway = ({ base }: HttpEndpoint): boolean => base === 'gateway';
/** Returns the path of an endpoint with `1` as the value of each parameter. */
const pathIn = ({ path }: HttpEndpoint): string => path.replaceAll(/\{\w+\}/g, '1');
const verbOf = ({ verbs }: HttpEndpoint): string => Object.keys(verbs)[0] as string;

const httpChecks: Readonly<Record<string, HttpCheck>> = {
  'no-token': {
    expects: 'Without an access token, or with a meaningless one, the request is refused with HTTP 401 and code 10004',
    heading: 'Authentication',
    appliesTo: ({ auth }) => auth === 'user',
    async run(endpoint, { raw }) {
      for (const token of [undefined, 'junk']) {
        const answer = await raw.send(pathIn(endpoint), { verb: verbOf(endpoint), token });
        expectError(`${endpoint.path} with ${token ?? 'no token'}`, answer, 'REQUEST_NEED_LOGIN');
      }
    },
  },
  signature: {
    expects: 'A wrong signature is refused with code 10005, and so is a missing one where one is needed',
    heading: 'Authentication',
    appliesTo: atGateway,
    async run(endpoint, { raw, target }) {
      if (target.signature === 'off') return;
      const needed = endpoint.signed === true || (endpoint.signed === 'lenient' && target.signature === 'strict');
      for (const signature of needed ? ([false, 'x'] as const) : (['x'] as const)) {
        const answer = await raw.send(pathIn(endpoint), { verb: verbOf(endpoint), signature });
        expectError(`${endpoint.path} with the signature ${signature}`, answer, 'REQUEST_INVALID_HMAC');
      }
    },
  },
  verb: {
    expects: 'The path with another verb answers HTTP 405',
    heading: 'Wire conventions',
    appliesTo: atGateway,
    async run(endpoint, { raw }) {
      const others = ['GET', 'POST', 'PUT', 'DELETE'].filter((verb) => !(verb in endpoint.verbs));
      for (const verb of others) {
        expectError(`${verb} ${endpoint.path}`, await raw.send(pathIn(endpoint), { verb }), 'METHOD_NOT_ALLOWED');
      }
    },
  },
};

export const checksOfHttpEndpoints = (): Check[] =>
  (Object.entries(httpEndpoints) as [HttpEndpointName, HttpEndpoint][]).flatMap(([name, endpoint]) =>
    Object.entries(httpChecks)
      .filter(([, { appliesTo }]) => appliesTo(endpoint))
      .map(([key, { expects, heading, run }]) => ({
        id: `${name}/${key}`,
        topic: httpTopicOf(name).topic,
        endpoint: name,
        heading,
        expects,
        run: (world: World) => run(endpoint, world),
      })),
  );
