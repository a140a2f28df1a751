// Deleted rows are overwritten in the file of a SQLite database.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from '../../../src/platform/store/sqlite-connection.ts';

test('the file has no trace of deleted rows', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'some.db');
  const database = connect(path);
  database.exec('create table note (id integer primary key, text text)');
  const insert = database.prepare('insert into note values (?, ?)');
  for (let id = 0; id < 1_000; id += 1) insert.run(id, `a canary ${'y'.repeat(300)}`);
  database.exec('delete from note where id < 700');
  database.close();
  assert.equal(readFileSync(path, 'latin1').split('a canary').length - 1, 300);
});
