// The dialog to edit a call before it is sent again.
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { dev } from '../feed/dev-api.ts';
import { Area, Choice } from '../parts/fields.tsx';
import { tried } from '../parts/hand-out.ts';
import { indented } from '../parts/json-view.tsx';
import type { Draft } from './resend.ts';
import styles from './resend-dialog.module.css';

export interface ResendDialogProps {
  readonly draft: Draft;
  /** The user id of the account that made the call, if it is known. */
  readonly userid: string | undefined;
  readonly onSend: (draft: Draft) => Promise<void>;
  readonly onClose: () => void;
}

export function ResendDialog({ draft: given, userid, onSend, onClose }: ResendDialogProps) {
  const [draft, setDraft] = useState(() =>
    given.bodyForm === 'text' ? { ...given, body: indented(given.body) } : given,
  );
  const set = (changed: Partial<Draft>): void => setDraft({ ...draft, ...changed });
  const newSession = async (): Promise<void> => {
    if (userid !== undefined) set({ accessToken: (await dev.openSession({ account: userid })).accessToken });
  };
  return (
    <Dialog
      open
      size="l"
      title="Edit and resend"
      closeLabel="Close"
      onClose={onClose}
      actions={
        <Button look="primary" onClick={() => void onSend(draft)}>
          Send
        </Button>
      }
    >
      <div className={styles.form}>
        <Field
          label={`Path (${draft.verb})`}
          value={draft.path}
          onChange={({ target }) => set({ path: target.value })}
        />
        {draft.bodyForm === 'text' ? (
          <Area
            label="Body"
            hint="It is signed and sent exactly as it stands here."
            value={draft.body}
            rows={10}
            onChange={({ target }) => set({ body: target.value })}
          />
        ) : (
          <p>The body is not text. It is sent as it was.</p>
        )}
        <Field
          label="Access token"
          value={draft.accessToken}
          onChange={({ target }) => set({ accessToken: target.value })}
        />
        {userid !== undefined && (
          <Button className={styles.start} onClick={() => void tried(newSession)}>
            Take the token of a new session of {userid}
          </Button>
        )}
        <div className={styles.two}>
          <Field
            label="Build token"
            value={draft.buildToken}
            onChange={({ target }) => set({ buildToken: target.value })}
          />
          <Choice
            label="Signature"
            value={draft.signing}
            choices={[
              ['anew', 'Sign anew'],
              ['as it was', 'As it was'],
              ['none', 'None'],
            ]}
            onChoice={(signing) => set({ signing })}
          />
        </div>
      </div>
    </Dialog>
  );
}
