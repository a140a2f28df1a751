// Completion in shells, and the manual page.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '@sealpost/dev-env/command';
import { commandPath } from '@sealpost/dev-env/server-process';
import { wholeProgram } from '../src/man-page.ts';

const folder = mkdtempSync(join(tmpdir(), 'sealpost-completion-'));
after(() => rmSync(folder, { recursive: true }));

/** Returns what bash proposes for a line, after the script of the command was read. */
function proposals(line: string): string[] {
  const words = line.split(' ');
  const script = `
    sealpost() { "$NODE" "$COMMAND" "$@"; }
    source <(sealpost completion bash)
    complete -p sealpost >&2
    COMP_LINE=$LINE; COMP_POINT=\${#COMP_LINE}
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
    $(complete -p sealpost | sed 's/.*-F \\([^ ]*\\).*/\\1/') sealpost
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { ...process.env, NODE: process.execPath, COMMAND: commandPath, LINE: line };
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8', env, cwd: folder });
  assert.equal(status, 0, stderr);
  assert.match(stderr, /^complete .*-F \S+ sealpost$/m);
  return stdout
    .split('\n')
    .map((proposal) => proposal.trim())
    .filter(Boolean)
    .sort();
}

test('bash completes commands, commands below them, and options', () => {
  assert.deepEqual(proposals('sealpost unm'), ['unmute']);
  assert.deepEqual(proposals('sealpost group re'), ['reject', 'remove', 'rename']);
  assert.deepEqual(proposals('sealpost send bob --se'), ['--sealed', '--sealed-preview']);
  assert.deepEqual(proposals('sealpost stickers grant --ever'), ['--everyone']);
  assert.deepEqual(proposals('sealpost settings --js'), ['--json']);
});

test('where a value or an argument is wanted, nothing is proposed, so that bash completes files', () => {
  assert.deepEqual(proposals('sealpost send bob --file '), []);
  assert.deepEqual(proposals('sealpost profile picture '), []);
});

test('nothing of the line is evaluated', () => {
  assert.deepEqual(proposals('sealpost send $(>evaluated) --rep'), ['--reply']);
  assert.ok(!existsSync(join(folder, 'evaluated')));
});

test('the scripts of the other shells have all commands; an unknown shell is wrong usage', async () => {
  for (const [shell, line] of [
    ['zsh', /^ {4}\('group'\) commands=\('list:list groups/m],
    ['fish', /^complete -c sealpost -n "__sealpost_at 'group'" -a create -d 'create a group and invite users'$/m],
  ] as const) {
    const { code, out } = await run({}, ['completion', shell]);
    assert.equal(code, 0);
    assert.match(out, line);
    for (const command of wholeProgram().commands) assert.ok(out.includes(command.name()), command.name());
  }
  const { code, err } = await run({}, ['completion', 'tcsh']);
  assert.equal(code, 2);
  assert.match(err, /one of bash, zsh, fish/);
});

test('the manual page has every command', () => {
  const path = fileURLToPath(new URL('../man/sealpost.1', import.meta.url));
  const page = readFileSync(path, 'utf8');
  assert.match(page, /^\.TH SEALPOST 1 /);
  for (const command of wholeProgram().commands) {
    const title = `.SS sealpost ${command.name().replaceAll('-', '\\-')} `;
    assert.ok(page.includes(title), title);
  }
  const { error, status, stdout } = spawnSync('man', ['-l', path], {
    encoding: 'utf8',
    env: { ...process.env, MANWIDTH: '80', MAN_KEEP_FORMATTING: '' },
  });
  // Small systems have no program `man`.
  if (error) return;
  assert.equal(status, 0);
  assert.match(stdout, /SEALPOST\(1\)[\s\S]*sealpost send[\s\S]*EXIT STATUS[\s\S]*SEALPOST_URL/);
});
