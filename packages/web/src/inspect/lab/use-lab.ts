// The state of the lab: the user's input, and the results.
import { type FormEvent, useState } from 'react';
import { messageOf } from '../feed/dev-api.ts';
import { readKey } from './byte-text.ts';
import type { KnownKey } from './lab-keys.ts';
import { type LabMessage, readPasted } from './sealed-message.ts';
import { lookUpKeys } from './server-keys.ts';
import { type Trace, trace } from './trace.ts';
import { partsOf } from './versions.ts';

export interface Given {
  readonly text: string;
  readonly to: string;
  readonly from: string;
  readonly contentType: string;
  readonly privateKey: string;
  readonly publicKey: string;
}

const nothing: Given = { text: '', to: '', from: '', contentType: '', privateKey: '', publicKey: '' };

/** Returns the pasted message. Values in the fields of the form replace its own values. */
function messageIn({ text, to, from, contentType }: Given): LabMessage {
  const { message } = readPasted(text);
  return {
    ...message,
    ...(to !== '' && { to }),
    ...(from !== '' && { from }),
    ...(contentType !== '' && { contentType: Number(contentType) }),
  };
}

export interface Lab {
  readonly given: Given;
  readonly known: readonly KnownKey[];
  readonly problem: string | undefined;
  readonly result: Trace | undefined;
  set(changed: Partial<Given>): void;
  /** Sets a message, and the keys that it contains. The keys of the previous message are dropped. */
  paste(text: string): void;
  open(event: FormEvent): Promise<void>;
  lookUp(): Promise<void>;
}

export function useLab(): Lab {
  const [given, setGiven] = useState(nothing);
  const [known, setKnown] = useState<readonly KnownKey[]>([]);
  const [problem, setProblem] = useState<string>();
  const [result, setResult] = useState<Trace>();
  const set = (changed: Partial<Given>): void => setGiven({ ...given, ...changed });
  const run = async (act: () => Promise<void>): Promise<void> => {
    try {
      setProblem(undefined);
      await act();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return {
    ...{ given, known, problem, result, set },
    paste(text) {
      setKnown([]);
      setResult(undefined);
      try {
        const { message, keys = {} } = readPasted(text);
        set({ text, to: message.to, from: message.from, contentType: String(message.contentType), ...keys });
      } catch {
        set({ text });
      }
    },
    open(event) {
      event.preventDefault();
      return run(async () => {
        const privateKey = readKey(given.privateKey, 'The private key');
        const publicKey = given.publicKey === '' ? undefined : readKey(given.publicKey, 'The public key');
        setResult(await trace(messageIn(given), { privateKey, publicKey, known }));
      });
    },
    lookUp: () =>
      run(async () => {
        const message = messageIn(given);
        setKnown(await lookUpKeys(message, partsOf(message.chunks)));
      }),
  };
}
