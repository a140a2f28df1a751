// A field for a name. If the name is not allowed, the field says why.
import { useLingui } from '@lingui/react/macro';
import { Field, type FieldProps } from '../../design/field.tsx';
import { nameProblem } from './name-problem.ts';

export interface NameFieldProps extends Omit<FieldProps, 'onChange' | 'error'> {
  readonly value: string;
  /** Maximum number of characters. */
  readonly most: number;
  readonly mayBeEmpty?: boolean;
  readonly onName: (name: string) => void;
}

export function NameField({ most, mayBeEmpty = false, onName, ...rest }: NameFieldProps) {
  const { t } = useLingui();
  const problem = nameProblem(rest.value, most, mayBeEmpty);
  const texts = (length: number): string => t`The name has ${length} characters. At most ${most} fit.`;
  const error = problem && (problem === 'empty' ? t`A name is needed.` : texts(problem.length));
  return <Field dir="auto" {...rest} error={error} onChange={(event) => onName(event.target.value)} />;
}
