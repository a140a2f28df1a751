// The form that adds a fault.
import { type ErrorName, errors } from '@sealpost/contract';
import { type ChangeEvent, type FormEvent, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { dev, messageOf } from '../feed/dev-api.ts';
import { useInspector } from '../feed/store.ts';
import { Choice } from '../parts/fields.tsx';
import { actions, type FaultFields, noFields, ruleOf } from './fault-rule.ts';
import styles from './forms.module.css';

const isErrorName = (name: string): name is ErrorName => Object.hasOwn(errors, name);
const errorChoices = Object.keys(errors)
  .filter(isErrorName)
  .map((name) => [name, name] as const);

export function FaultForm() {
  const { accounts, clock } = useInspector();
  const [fields, setFields] = useState(noFields);
  const [problem, setProblem] = useState<string>();
  const set = (changed: Partial<FaultFields>): void => setFields({ ...fields, ...changed });
  const field = (name: keyof FaultFields) => ({
    value: fields[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => set({ [name]: target.value }),
  });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    try {
      await dev.addFault(ruleOf(fields));
      setProblem(undefined);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <form className={styles.form} aria-label="New fault" onSubmit={(event) => void submit(event)}>
      <Choice label="What goes wrong" value={fields.action} choices={actions} onChoice={(action) => set({ action })} />
      <div className={styles.two}>
        {fields.action === 'error' && (
          <>
            <Choice label="Error" value={fields.error} choices={errorChoices} onChoice={(error) => set({ error })} />
            <Field label="Reason" placeholder="that of the error" {...field('reason')} />
          </>
        )}
        {fields.action === 'status' && (
          <>
            <Field label="Status" inputMode="numeric" required pattern="[1-5]\d\d" {...field('status')} />
            <Field label="Body" {...field('body')} />
          </>
        )}
      </div>
      <div className={styles.two}>
        <Field label="Method" placeholder="every method; * fits any" {...field('method')} />
        <Choice
          label="Account"
          value={fields.account}
          choices={[
            ['', 'Every account'],
            ...accounts.map(({ mid, userid }) => [userid ?? mid, userid ?? mid] as const),
          ]}
          onChoice={(account) => set({ account })}
        />
      </div>
      <div className={styles.two}>
        <Field
          label="Delay"
          placeholder="none; as in 250ms"
          required={fields.action === 'delay'}
          pattern="\d{1,9}(ms|s|m|h|d)?"
          {...field('delay')}
        />
        <Field label="Percent of the calls" inputMode="numeric" pattern="100|\d{1,2}(\.\d+)?" {...field('rate')} />
        <Field label="Times" placeholder="for ever" inputMode="numeric" pattern="[1-9]\d*" {...field('times')} />
      </div>
      {clock?.mode === 'virtual' && (
        <p className={styles.quiet}>The clock stands still: a delay ends when you move it.</p>
      )}
      {problem !== undefined && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
      <Button type="submit" look="primary" className={styles.submit}>
        Add the fault
      </Button>
    </form>
  );
}
