// A form that gets a private key from the backup of an account on this server.
import { type KeyChainEntry, toBase64 } from '@sealpost/crypto';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { messageOf } from '../feed/dev-api.ts';
import { useInspector } from '../feed/store.ts';
import { Choice } from '../parts/fields.tsx';
import styles from './message-lab.module.css';
import { openBackupOf } from './server-keys.ts';

export function BackupKeys({ onKey }: { readonly onKey: (privateKey: string) => void }) {
  const accounts = useInspector((state) => state.accounts);
  const [account, setAccount] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [keys, setKeys] = useState<readonly KeyChainEntry[]>([]);
  const [problem, setProblem] = useState<string>();
  const open = async (): Promise<void> => {
    try {
      setProblem(undefined);
      setKeys(await openBackupOf(account, passphrase));
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <details className={styles.fold}>
      <summary>Take it from the backup of an account</summary>
      <div className={styles.two}>
        <Choice
          label="Backup of"
          value={account}
          choices={[['', 'Choose an account'], ...accounts.map(({ mid, userid }) => [mid, userid ?? mid] as const)]}
          onChoice={setAccount}
        />
        <Field
          label="Passphrase"
          autoComplete="off"
          value={passphrase}
          onChange={({ target }) => setPassphrase(target.value)}
        />
        <Button disabled={account === '' || passphrase === ''} onClick={() => void open()}>
          Open the backup
        </Button>
      </div>
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {keys.length > 0 && (
        <ul className={styles.keys} aria-label="Keys in the backup">
          {keys.map(({ keyId, privateKey }) => (
            <li key={keyId}>
              Key {keyId}
              <Button aria-label={`Use key ${keyId}`} onClick={() => onKey(toBase64(privateKey))}>
                Use
              </Button>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
