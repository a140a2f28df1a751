// What is loaded ahead: every part of the page that is loaded later, except those that few people need.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

const source = join(import.meta.dirname, '../src');
const PRELOAD = 'chat/preload.ts';

/** Loaded at once with the page, by the engine, where somebody logs in or out, or when the page cannot start. */
const elsewhere = [
  'chat/background.tsx',
  'chat/client/engine-archive.ts',
  'chat/client/engine-keys.ts',
  'chat/client/engine-verbs.ts',
  'chat/guard/guard.tsx',
  'chat/screens/login/join/join-screen.tsx',
  'chat/screens/login/login-screen.tsx',
  'chat/problem.tsx',
  'design/toast-region.tsx',
  'words/pseudo.ts',
];

/** Returns the files of the page that a file imports when it is asked to. */
const laterIn = (file: string): readonly string[] =>
  [...readFileSync(join(source, file), 'utf8').matchAll(/\bimport\('(\.[^']+\.tsx?)'\)/g)].map(([, path = '']) =>
    relative(source, join(source, dirname(file), path)).replaceAll('\\', '/'),
  );

test('every part that is loaded later is loaded ahead, or where it is needed at once', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).map((file) => file.replaceAll('\\', '/'));
  // The inspector and the administration are pages of their own.
  const ofMessenger = files.filter((file) => file !== PRELOAD && !/^(inspect|admin)\//.test(file));
  const later = new Set(ofMessenger.flatMap(laterIn));
  const ahead = laterIn(PRELOAD);
  assert.deepEqual([...ahead, ...elsewhere].sort(), [...later].sort());
});
