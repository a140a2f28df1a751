// Sets up the conversations with Letter Sealing with which the scenarios about it begin.
import type { CallRecord } from '@sealpost/contract/workbench';
import { nameOf, type Send } from './calls.ts';
import type { Friend } from './friend.ts';
import { joinedGroup } from './groups.ts';
import type { Stage } from './stage.ts';

/** Maximum milliseconds for a client to register its first key. */
const KEY_MS = 5_000;
const REGISTER = 'register a key of the account with registerE2EEPublicKey, and open what is sealed for it';
export const ANSWER = 'open sealed texts, and answer them sealed';
/** Matches the names of methods with which a client asks for keys. */
const KEY_CALL = /E2EE|E2ee/;

/** Starts the client, and waits until it has answered a sealed text from Ann with a sealed text. Returns Ann. */
export async function sealedTalk(stage: Stage): Promise<Friend> {
  const ann = await stage.person('ann');
  await ann.sealing.ownKey();
  await stage.start();
  await stage.reached(
    REGISTER,
    async () => {
      const { publicKey } = await ann.rpc.TalkService.negotiateE2EEPublicKey(stage.account.mid);
      return publicKey && publicKey.keyId > 0 ? true : undefined;
    },
    KEY_MS,
  );
  await ann.saySealed('hello');
  await stage.reached(ANSWER, async () =>
    (await ann.received()).some(({ text, sealed }) => sealed && text === 'echo: hello') ? true : undefined,
  );
  return ann;
}

/** Starts the client, and waits until it has answered a sealed text in a group whose members all have keys. */
export async function sealedGroup(stage: Stage, ...more: readonly Friend[]): Promise<{ ann: Friend; group: string }> {
  for (const { sealing } of more) await sealing.ownKey();
  const ann = await sealedTalk(stage);
  const group = await joinedGroup(stage, ann, ...more);
  await ann.saySealed('hello group', group);
  await stage.reached(`${ANSWER}, in groups too`, async () =>
    (await ann.heard(group)).includes('echo: hello group') ? true : undefined,
  );
  return { ann, group };
}

export const sealedSends = (stage: Stage, after?: number): Send[] =>
  stage.sends(undefined, after).filter(({ sealed }) => sealed);

export const chunksOf = ({ message }: Send): readonly string[] =>
  Array.isArray(message.chunks) ? message.chunks.map(String) : [];

/** Returns the names of the calls about keys that the client made between two calls. */
export const keyCallsBetween = (stage: Stage, first: CallRecord, second: CallRecord): string[] =>
  stage
    .calls(undefined, first.id)
    .filter((call) => call.id < second.id && KEY_CALL.test(nameOf(call)))
    .map(nameOf);
