// What the operations outside of RPC owe by their entries in the contract.
import type { HttpOperationName } from '@sealpost/contract';
import { type HttpOperation, httpOperations } from '@sealpost/contract/schemas';
import { expectError } from '../answers.ts';
import type { Check } from '../check.ts';
import { httpTopicOf } from '../headings.ts';
import type { World } from '../world.ts';

interface HttpCheck {
  readonly expects: string;
  readonly heading: string;
  readonly appliesTo: (operation: HttpOperation) => boolean;
  readonly run: (operation: HttpOperation, world: World) => Promise<void>;
}

const atGateway = ({ base }: HttpOperation): boolean => base === 'gateway';
/** With any value for the parts that the request fills in. */
const pathIn = ({ path }: HttpOperation): string => path.replaceAll(/\{\w+\}/g, '1');
const verbOf = ({ verbs }: HttpOperation): string => Object.keys(verbs)[0] as string;

const httpChecks: Readonly<Record<string, HttpCheck>> = {
  'no-token': {
    expects: 'Without an access token, or with junk, the request is refused with HTTP 401 and code 10004',
    heading: 'Authentication',
    appliesTo: ({ auth }) => auth === 'user',
    async run(operation, { raw }) {
      for (const token of [undefined, 'junk']) {
        const answer = await raw.send(pathIn(operation), { verb: verbOf(operation), token });
        expectError(`${operation.path} with ${token ?? 'no token'}`, answer, 'REQUEST_NEED_LOGIN');
      }
    },
  },
  signature: {
    expects: 'A wrong signature is refused with code 10005, and so is a missing one where one is needed',
    heading: 'Authentication',
    appliesTo: atGateway,
    async run(operation, { raw, target }) {
      if (target.signature === 'off') return;
      const needed = operation.signed === true || (operation.signed === 'lenient' && target.signature === 'strict');
      for (const signature of needed ? ([false, 'x'] as const) : (['x'] as const)) {
        const answer = await raw.send(pathIn(operation), { verb: verbOf(operation), signature });
        expectError(`${operation.path} with the signature ${signature}`, answer, 'REQUEST_INVALID_HMAC');
      }
    },
  },
  verb: {
    expects: 'The path with another verb answers HTTP 405',
    heading: 'Wire conventions',
    appliesTo: atGateway,
    async run(operation, { raw }) {
      const others = ['GET', 'POST', 'PUT', 'DELETE'].filter((verb) => !(verb in operation.verbs));
      for (const verb of others) {
        expectError(`${verb} ${operation.path}`, await raw.send(pathIn(operation), { verb }), 'METHOD_NOT_ALLOWED');
      }
    },
  },
};

export const checksOfHttpOperations = (): Check[] =>
  (Object.entries(httpOperations) as [HttpOperationName, HttpOperation][]).flatMap(([name, operation]) =>
    Object.entries(httpChecks)
      .filter(([, { appliesTo }]) => appliesTo(operation))
      .map(([key, { expects, heading, run }]) => ({
        id: `${name}/${key}`,
        topic: httpTopicOf(name).topic,
        operation: name,
        heading,
        expects,
        run: (world: World) => run(operation, world),
      })),
  );
