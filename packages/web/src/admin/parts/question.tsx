// A hook that asks for confirmation before actions that cannot be undone. It serves lists with many such buttons.
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { act } from '../client/act.ts';

const Ask = lazy(() => import('./ask.tsx'));

/** A question for the user, and the action to run if the user confirms. */
interface Question {
  readonly title: string;
  readonly text: string;
  readonly verb: string;
  readonly done: string;
  readonly run: () => Promise<unknown>;
}

/** Returns the function that asks a question, and the dialog that shows it. */
export function useQuestion(after: () => Promise<void>): [ask: (question: Question) => void, dialog: ReactNode] {
  const [question, setQuestion] = useState<Question>();
  const dialog = question && (
    <Suspense>
      <Ask
        title={question.title}
        verb={question.verb}
        onYes={() => act(question.run, { done: question.done, after })}
        onClose={() => setQuestion(undefined)}
      >
        <p>{question.text}</p>
      </Ask>
    </Suspense>
  );
  return [setQuestion, dialog];
}
