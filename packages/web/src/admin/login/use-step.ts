// The state of a form in the login: whether its step is running, and why it was refused.
import { useState } from 'react';
import { isLost, reasonOf, refusalOf } from '../client/act.ts';
import { isRefused, refreshLogin } from '../client/session.ts';

export interface Step {
  /** The reason why the last step was refused; undefined if it was not refused. */
  readonly fault: string | undefined;
  readonly busy: boolean;
  /**
   * @param texts texts for refusals, by HTTP status. Without one for 401, such a refusal means that the login is over.
   * @param lost the text for a step without an answer, if the server may have done it
   */
  readonly run: (
    step: () => Promise<unknown>,
    texts?: Readonly<Record<number, string>>,
    lost?: string,
  ) => Promise<void>;
}

export function useStep(): Step {
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const run: Step['run'] = async (step, texts = {}, lost) => {
    setBusy(true);
    setFault(undefined);
    try {
      await step();
    } catch (error) {
      const text = isLost(error) ? lost : texts[refusalOf(error)?.status ?? 0];
      if (isRefused(error) && text === undefined) await refreshLogin(true);
      setFault(text ?? reasonOf(error));
    }
    setBusy(false);
  };
  return { fault, busy, run };
}
