// The state of a form in the login: whether its step is running, and why it was refused.
import { useState } from 'react';
import { reasonOf } from '../client/act.ts';
import { isRefused, refreshLogin } from '../client/session.ts';

export interface Step {
  /** The reason why the last step was refused; undefined if it was not refused. */
  readonly fault: string | undefined;
  readonly busy: boolean;
  /** @param wrong the text for a wrong password. Without it, such a refusal means that the login is over. */
  readonly run: (step: () => Promise<unknown>, wrong?: string) => Promise<void>;
}

export function useStep(): Step {
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const run: Step['run'] = async (step, wrong) => {
    setBusy(true);
    setFault(undefined);
    try {
      await step();
    } catch (error) {
      if (isRefused(error) && wrong === undefined) await refreshLogin(true);
      setFault(isRefused(error) && wrong !== undefined ? wrong : reasonOf(error));
    }
    setBusy(false);
  };
  return { fault, busy, run };
}
