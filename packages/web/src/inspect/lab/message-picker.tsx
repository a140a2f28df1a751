// A form that picks a sealed message from the log of an account.
import { useEffect, useState } from 'react';
import { dev, messageOf } from '../feed/dev-api.ts';
import { useInspector } from '../feed/store.ts';
import { Choice } from '../parts/fields.tsx';
import styles from './message-lab.module.css';
import { type LabMessage, sealedIn } from './sealed-message.ts';

interface Picked {
  readonly revision: string;
  readonly message: LabMessage;
}

const MOST = 1000;

async function sealedOf(account: string): Promise<Picked[]> {
  const { operations } = await dev.listOperations({ account, limit: MOST });
  return operations.flatMap(({ revision, operation }) => {
    const message = sealedIn(operation);
    return message ? [{ revision: String(revision), message }] : [];
  });
}

export function MessagePicker({ onPick }: { readonly onPick: (message: LabMessage & { version?: number }) => void }) {
  const accounts = useInspector((state) => state.accounts);
  const [account, setAccount] = useState('');
  const [found, setFound] = useState<readonly Picked[]>();
  const [chosen, setChosen] = useState('');
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    setFound(undefined);
    setChosen('');
    if (account === '') return;
    let isWanted = true;
    sealedOf(account).then(
      (messages) => isWanted && setFound(messages),
      (error: unknown) => isWanted && setProblem(messageOf(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [account]);
  const nameOf = (mid: string): string => accounts.find((one) => one.mid === mid)?.userid ?? mid.slice(0, 8);
  const pick = (revision: string): void => {
    setChosen(revision);
    const picked = found?.find((one) => one.revision === revision);
    if (!picked) return;
    const { mark, ...message } = picked.message;
    onPick({ ...message, mark, ...(mark !== undefined && { version: Number(mark) }) });
  };
  return (
    <details className={styles.fold}>
      <summary>Pick one from the log of an account</summary>
      <div className={styles.two}>
        <Choice
          label="Account"
          value={account}
          choices={[['', 'Choose an account'], ...accounts.map(({ mid, userid }) => [mid, userid ?? mid] as const)]}
          onChoice={setAccount}
        />
        <Choice
          label="Message"
          value={chosen}
          choices={[
            ['', found === undefined ? 'No account yet' : `${found.length} sealed messages`],
            ...(found ?? []).map(
              ({ revision, message: { from, to } }) =>
                [revision, `${revision}: ${nameOf(from)} to ${nameOf(to)}`] as const,
            ),
          ]}
          onChoice={pick}
        />
      </div>
      {problem !== undefined && <p className={styles.problem}>{problem}</p>}
    </details>
  );
}
