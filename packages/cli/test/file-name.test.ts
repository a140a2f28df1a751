import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileName } from '../src/media/file-name.ts';

test('a name that somebody else wrote becomes one file in one folder', () => {
  for (const [given, made] of [
    ['report.pdf', 'report.pdf'],
    ['Prüfung 1 (Entwurf).docx', 'Prüfung 1 (Entwurf).docx'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\system32\\evil.exe', 'evil.exe'],
    ['/absolute', 'absolute'],
    ['.bashrc', 'bashrc'],
    ['...', 'file-7'],
    ['..', 'file-7'],
    ['', 'file-7'],
    [undefined, 'file-7'],
    ['-rf', 'rf'],
    ['a\u0000b\nc\u001b[31m.txt', 'a_b_c_[31m.txt'],
    ['photo\u202egpj.exe', 'photo_gpj.exe'],
    ['con', '_con'],
    ['NUL.txt', '_NUL.txt'],
    ['a<b>c:d"e|f?g*h', 'a_b_c_d_e_f_g_h'],
    ['name. . ', 'name'],
  ] as const) {
    assert.equal(fileName(given, 'file', '7'), made, JSON.stringify(given));
  }
  assert.equal(fileName(undefined, 'image', '7'), 'image-7.jpg');
});

test('a long name keeps its extension and fits into a folder', () => {
  const name = fileName(`${'日本'.repeat(200)}.tar.gz`, 'file', '7');
  assert.ok(Buffer.byteLength(name) <= 200, `${Buffer.byteLength(name)}`);
  assert.match(name, /^(日本)+日?\.gz$/);
});
