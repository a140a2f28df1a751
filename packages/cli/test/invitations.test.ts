// The commands `invite`, `register` and `account import`, against a real server.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { run } from '@sealpost/dev-env/command';
import { startServer } from '@sealpost/dev-env/server-process';

describe('invitations from the command line', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  let env: Record<string, string>;
  let folder: string;
  before(async () => {
    server = await startServer({ registration: 'open', 'challenge-work': '5' });
    folder = mkdtempSync(join(tmpdir(), 'sealpost-invitations-'));
    env = { ...server.env, SEALPOST_URL: server.url };
  });
  after(async () => {
    await server?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  const json = async (args: readonly string[], input = '') => {
    const { code, out, err } = await run(env, [...args, '--json'], input);
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  test('an invite is created, drawn, listed, used and revoked', async () => {
    const made = await json(['invite', 'create', '--name', 'Ann', '--userid', 'ann', '--from', 'The club']);
    assert.match(made.link, /\/join#[0-9a-z-]{23}$/);
    const drawn = await run(env, ['invite', 'create', '--uses', '2', '--days', '0', '--qr']);
    assert.match(drawn.out, /for 2 accounts, without an end/);
    assert.match(drawn.out, /[▀▄█]{10}/);
    const ann = await json(['register', '--invite', made.link, '--password', 'the password of ann']);
    assert.deepEqual([ann.userid, ann.displayName, ann.login], ['ann', 'Ann', 'ann']);
    assert.match((await run(env, ['whoami', '--as', 'ann'])).out, /^Ann \(ann\)/);
    const again = await run(env, ['register', 'eve', '--invite', made.code, '--password', 'the password of eve']);
    assert.deepEqual([again.code, /The invite is used up/.test(again.err)], [1, true]);
    const [other] = await json(['invite', 'list', '--state', 'usable']);
    assert.match((await run(env, ['invite', 'revoke', other.id])).out, /^Revoked invite \d+\.$/m);
    assert.deepEqual((await json(['invite', 'show', made.id])).accounts, [ann.mid]);
    assert.match((await run(env, ['invite', 'list'])).out, /used-up +1\/1 .* Ann/);
  });

  test('an open server takes people without an invite', async () => {
    const { code, out, err } = await run(env, ['register', 'zoe', '--name', 'Zoe'], '');
    assert.deepEqual([code, out], [2, ''], 'a password is needed');
    assert.match(err, /No password/);
    const zoe = await json(['register', 'zoe', '--name', 'Zoe', '--password-stdin'], 'the password of zoe\n');
    assert.deepEqual([zoe.userid, zoe.displayName], ['zoe', 'Zoe']);
    const taken = await run(env, ['register', 'zoe', '--password', 'another password']);
    assert.match(taken.err, /"zoe" is taken/);
  });

  test('if the login after the registration fails, the account is open, and the message tells how to go on', async () => {
    const args = ['--password', 'the password of max', '--as', 'home', '--build-token'];
    const { code, out, err } = await run(env, ['register', 'max', ...args, 'wrong']);
    assert.deepEqual([code, out], [1, ''], err);
    assert.match(err, /Opened the account max \(u\w+\), but the login failed: .*X-Hmac does not match/);
    const next = `sealpost login max --url ${server.url} --as home --build-token <token>`;
    assert.ok(err.includes(`ask whoever runs it for one. Do not register again. Log in with: ${next}\n`), err);
    const login = next.replace('<token>', 'sealpost-dev').split(' ').slice(1);
    assert.equal((await run(env, [...login, '--password', 'the password of max'])).code, 0);
    assert.match((await run(env, ['whoami', '--as', 'home'])).out, /^max \(max\)/);
  });

  test('every fault of a file is named by line and column, and nothing is created', async () => {
    const faulty = file(
      'faulty.csv',
      'userid,name,email,phone,password\nbo,Bo,bo@example.org,,good password\nBO,Bo again,,,good password\nx y,X,nowhere,12,short\nlate,,,,good password\n"q",Q\n',
    );
    const { code, err } = await run(env, ['account', 'import', faulty]);
    assert.equal(code, 2);
    for (const fault of [
      /line 5, name: is missing/,
      /line 3, userid: "bo" is in line 2 already/,
      /line 4, userid: must be 1 to 40/,
      /line 4, email: must look like/,
      /line 4, phone: must be in international form/,
      /line 4, password: must have at least 8/,
    ])
      assert.match(err, fault);
    assert.deepEqual(err.match(/^line 5, .*$/gm), ['line 5, name: is missing']);
    assert.deepEqual([...err.matchAll(/^line (\d)/gm)].map(([, line]) => line).join(''), '344445');
    assert.equal((await run(env, ['account', 'show', 'bo'])).code, 1);
    for (const [text, expected] of [
      ['userid;name\nx;X\n', /line 1, all columns: separate the columns with commas, not with semicolons/],
      ['\ufeff"userid";"name"\r\nx;X\r\n', /separate the columns with commas/],
      ['userid\tname\nx\tX\n', /separate the columns with commas, not with tabs/],
      ['userid\nx\n', /line 1, name: this column is missing/],
      ['userid,name,colour\nx,X,red\n', /line 1, colour: is not known/],
      ['userid,name,name\nx,X,Y\n', /line 1, name: is there twice/],
      ['userid,name\n"x,X\n', /line 2, column 1: a quote is opened here and never closed/],
      ['userid,name\r\n"x ""1""\r\ny",X\r\nb,"B ""2""\r\nc,C\r\n', /line 4, column 2: a quote is opened here/],
      ['userid,name\nx,X,more\n', /line 2, name: there are 3 values for 2 columns/],
      ['userid,name\n', /the file has no people/],
    ] as const)
      assert.match((await run(env, ['account', 'import', file('odd.csv', text)])).err, expected);
  });

  test('nothing is created if the sheet cannot be written', async () => {
    const people = file('early.csv', 'userid,name,password\numa,Uma,long enough for uma\nval,Val,\n');
    const refusal = async (sheet: string): Promise<string> => {
      const { code, err } = await run(env, ['account', 'import', people, '--invite-sheet', sheet]);
      assert.equal(code, 1, err);
      assert.equal((await run(env, ['account', 'show', 'uma'])).code, 1);
      return err;
    };
    const nowhere = join(folder, 'no-such-folder', 'sheet.html');
    const missing = await refusal(nowhere);
    assert.ok(missing.includes(`Nothing was created, because the sheet ${nowhere} cannot be written: no such file`));
    assert.match(missing, /Make the folder .*no-such-folder first, or name a file elsewhere\.$/m);
    assert.match(
      await refusal(folder),
      /The sheet .* cannot be read: .*directory\. Nothing was created\. Name another/,
    );
  });

  test('people with a password get accounts, the others a card; a repetition does what is missing', async () => {
    const people = file(
      'people.csv',
      '\ufeffname,userid,email,password\n"Müller, Jo",jo,jo@example.org,long enough for jo\n<b>Ivy</b>,Ivy,ivy@example.org,\n"🌊 ""Sea""",sea,,\n',
    );
    const sheet = join(folder, 'sheet.html');
    const without = await run(env, ['account', 'import', people]);
    assert.deepEqual([without.code, /2 of 3 people have no password/.test(without.err)], [2, true]);
    assert.equal((await json(['account', 'import', people, '--dry-run'])).new, 3);
    const args = ['account', 'import', people, '--invite-sheet', sheet, '--from', 'A & B'];
    const first = await json(args);
    assert.deepEqual(
      first.map(({ userid, outcome }: Record<string, string>) => [userid, outcome]),
      [
        ['jo', 'created'],
        ['ivy', 'invited'],
        ['sea', 'invited'],
      ],
    );
    const html = readFileSync(sheet, 'utf8');
    assert.equal(statSync(sheet).mode & 0o077, 0, 'nobody else can read the codes');
    assert.match(html, /&lt;b&gt;Ivy&lt;\/b&gt;/);
    assert.match(html, /A &amp; B invites you/);
    assert.doesNotMatch(html, /<b>Ivy|<script|src=|url\(/);
    assert.equal(html.match(/<svg/g)?.length, 2);
    const [, link = ''] = /class="link">([^<]+)</.exec(html) ?? [];
    const ivy = await json(['register', '--invite', link, '--name', 'Ivy', '--password', 'the password of ivy']);
    assert.equal(ivy.userid, 'ivy');
    assert.equal((await json(['account', 'show', 'ivy'])).email, 'ivy@example.org');

    const repeated = await json(args);
    assert.deepEqual(
      repeated.map(({ outcome }: Record<string, string>) => outcome),
      ['there already', 'there already', 'on the sheet'],
    );
    assert.equal(readFileSync(sheet, 'utf8').match(/<svg/g)?.length, 1, 'a used card leaves the sheet');

    // An interrupted run may have created an invite without writing its card. The repetition replaces this invite.
    const lost = first[2].invite;
    writeFileSync(sheet, readFileSync(sheet, 'utf8').split('\n').slice(0, -2).join('\n').concat('\n<article data-inv'));
    const [, , sea] = await json(args);
    assert.equal(sea.outcome, 'invited');
    assert.notEqual(sea.invite, lost);
    assert.equal((await json(['invite', 'show', lost])).state, 'revoked');
  });
});
