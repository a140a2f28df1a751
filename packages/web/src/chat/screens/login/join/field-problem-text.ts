// The texts that explain the problem of a field of a new account.
import { useLingui } from '@lingui/react/macro';
import type { RegistrationOffer } from '@sealpost/contract';
import type { FieldProblem, Problems } from './account-rules.ts';

type Texts = Readonly<Record<keyof Problems, Partial<Record<FieldProblem, string>>>>;

/** Returns a function that explains the problem of a field. */
export function useFieldProblemText(
  rules: RegistrationOffer,
): (field: keyof Problems, problem: FieldProblem | undefined) => string | undefined {
  const { t } = useLingui();
  const least = rules.password.leastCharacters;
  const most = rules.displayName.characters;
  const texts: Texts = {
    userid: {
      empty: t`A user id is needed.`,
      rule: t`A user id has letters from a to z, digits, dots, dashes and underlines. It begins with a letter or digit.`,
    },
    displayName: {
      empty: t`A name is needed.`,
      long: t`The name is too long. At most ${most} characters fit.`,
      rule: t`The name has characters that cannot be shown.`,
    },
    password: {
      empty: t`A password is needed.`,
      rule: t`Choose another password: at least ${least} characters, not your user id, and none that many people use.`,
      long: t`This password is too long.`,
    },
    again: { differs: t`This is not the same password.` },
  };
  return (field, problem) => problem && (texts[field][problem] ?? texts[field].rule);
}
