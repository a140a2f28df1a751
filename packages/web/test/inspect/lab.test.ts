// The sealing lab: it opens messages step by step, and says what is wrong with those that do not open.
import assert from 'node:assert/strict';
import { createDecipheriv, createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import {
  createKeyPair,
  fromBase64,
  openMessage,
  sealKeyChainBackup,
  sealMessage,
  sharedSecret,
  toBase64,
  wrapGroupKey,
} from '@sealpost/crypto';
import type { Page } from 'playwright-core';
import { skip } from '../browsers.ts';
import { inspected } from './inspected.ts';
import { type Sealer, sealer, sendSealed } from './traffic.ts';

interface LabInput {
  readonly message: unknown;
  readonly privateKey: Uint8Array;
  readonly publicKey?: Uint8Array;
  readonly lookUp?: boolean;
}

/** Fills the form and opens the message. */
async function tryOpening(page: Page, { message, privateKey, publicKey, lookUp = false }: LabInput): Promise<void> {
  await page.getByRole('textbox', { name: 'Sealed message' }).fill(JSON.stringify(message));
  await page.getByRole('textbox', { name: 'Private key', exact: true }).fill(toBase64(privateKey));
  await page
    .getByRole('textbox', { name: 'Public key of the other side' })
    .fill(publicKey === undefined ? '' : toBase64(publicKey));
  if (lookUp) {
    await page.getByRole('button', { name: 'Look the keys up on this server' }).click();
    await page.getByText(/^Looked up: /).waitFor();
  }
  await page.getByRole('button', { name: 'Open it' }).click();
  await page.getByRole('list', { name: 'Steps' }).waitFor();
}

const step = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Steps' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });

describe('the sealing lab', { skip }, () => {
  const bench = inspected();
  let ann: Sealer;
  let ben: Sealer;
  const content = { name: 'Content' } as const;

  test('opens a message of the log with the keys that the server knows', async () => {
    const { page, server } = bench;
    [ann, ben] = [await sealer(server, 'ann'), await sealer(server, 'ben')];
    await sendSealed(ann, ben, 'See you at the pier');
    await page.getByRole('link', { name: 'Sealing lab' }).click();
    await page.getByText('Pick one from the log of an account').click();
    await page.getByRole('combobox', { name: 'Account' }).selectOption({ label: 'ben' });
    const choice = page.getByRole('combobox', { name: 'Message', exact: true });
    await choice.getByRole('option', { name: /ann to ben/ }).waitFor({ state: 'attached' });
    await choice.selectOption({ index: 1 });
    await page.getByRole('textbox', { name: 'Private key', exact: true }).fill(toBase64(ben.privateKey));
    await page.getByRole('button', { name: 'Look the keys up on this server' }).click();
    await page.getByText(`Looked up: key ${ann.keyId} of ann, key ${ben.keyId} of ben`).waitFor();
    await page.getByRole('button', { name: 'Open it' }).click();
    await page.getByText('It opens.').waitFor();
    await page.getByRole('region', content).filter({ hasText: 'See you at the pier' }).waitFor();
    const secret = Buffer.from(sharedSecret(ben.privateKey, ann.publicKey)).toString('hex');
    await step(page, 'Shared secret').filter({ hasText: secret }).waitFor();
    assert.equal(await page.getByRole('img', { name: 'done' }).count(), 7);
  });

  test('names a wrong private key: whose it is not', async () => {
    const { page } = bench;
    const message = await sendSealed(ann, ben, 'a second one');
    const { privateKey } = createKeyPair();
    await tryOpening(page, { message, privateKey, lookUp: true });
    await page
      .getByText(`wrong private key: its public half is neither key ${ann.keyId} of ann nor key ${ben.keyId} of ben`, {
        exact: false,
      })
      .first()
      .waitFor();
    const other = await sendSealed(ann, ben, 'one without a look at the server');
    await tryOpening(page, { message: other, privateKey, publicKey: ann.publicKey });
    await page.getByText('Most likely a wrong key').waitFor();
    await step(page, 'Decrypt').filter({ hasText: 'the tag does not fit' }).waitFor();
  });

  test('tells other associated data from another key', async () => {
    const { page } = bench;
    const message = await sendSealed(ann, ben, 'a third one');
    const keys = { privateKey: ben.privateKey, publicKey: ann.publicKey };
    await tryOpening(page, { message: { ...message, contentType: 15 }, ...keys });
    await page
      .getByText('The key is right, and the associated data differ: it opens if the content type is 0.')
      .waitFor();
    await tryOpening(page, { message: { ...message, to: message.from, from: message.to }, ...keys });
    await page.getByText('it opens if sender and receiver changed places').waitFor();
    await tryOpening(page, { message: { ...message, chunks: message.chunks.slice(0, 4) }, ...keys });
    await step(page, 'Chunks').filter({ hasText: 'a sealed message has five chunks' }).waitFor();
    await tryOpening(page, { message: { ...message, contentMetadata: { e2eeVersion: '1' } }, ...keys });
    await step(page, 'Header').filter({ hasText: 'marked as version 1' }).waitFor();
  });

  test('opens version 1, and messages of groups with a key that it unwraps', async () => {
    const { page } = bench;
    const group = createKeyPair();
    const to = `c${'0'.repeat(32)}`;
    const keys = { sharedSecret: sharedSecret(ann.privateKey, group.publicKey), senderKeyId: 5, receiverKeyId: 1 };
    const envelope = { to, from: ann.mid, contentType: 0 } as const;
    const chunks = await sealMessage(keys, envelope, { text: 'old and shared' }, { version: 1 });
    const wrap = await wrapGroupKey(group.privateKey, ann.privateKey, ben.publicKey);
    await page.getByText('Unwrap a group key').click();
    await page.getByRole('textbox', { name: 'encryptedSharedKey' }).fill(wrap);
    await page.getByRole('textbox', { name: 'The member’s private key' }).fill(toBase64(ben.privateKey));
    await page.getByRole('textbox', { name: 'The creator’s public key' }).fill(toBase64(ann.publicKey));
    await page.getByRole('button', { name: 'Unwrap', exact: true }).click();
    const field = page.getByRole('textbox', { name: 'Private key', exact: true });
    await page.waitForFunction(
      ([wanted]) => [...document.querySelectorAll('input')].some(({ value }) => value === wanted),
      [toBase64(group.privateKey)],
    );
    const privateKey = fromBase64(await field.inputValue());
    await tryOpening(page, { message: { ...envelope, chunks }, privateKey, publicKey: ann.publicKey });
    await page.getByRole('region', content).filter({ hasText: 'old and shared' }).waitFor();
    await step(page, 'MAC').filter({ hasText: 'computed' }).waitFor();
  });

  test('makes vectors of a seed that an independent reader opens, the same ones each time', async () => {
    const { page } = bench;
    const vectorsOf = async (seed: string): Promise<string> => {
      await page.getByRole('textbox', { name: 'Seed' }).fill(seed);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download the vectors' }).click(),
      ]);
      return readFile(await download.path(), 'utf8');
    };
    const text = await vectorsOf('one');
    assert.equal(await vectorsOf('one'), text);
    assert.notEqual(await vectorsOf('two'), text);
    const { messages, refused, groupKeys } = JSON.parse(text);
    assert.ok(messages.length > 50 && refused.length > 10 && groupKeys.wraps.length === 3);
    for (const vector of messages) {
      const keys = { ...vector, sharedSecret: fromBase64(vector.sharedSecret) };
      assert.deepEqual(await openMessage(keys, { ...vector, e2eeVersion: String(vector.version) }), vector.payload);
      assert.equal(openedByNode(vector), Buffer.from(vector.plaintext, 'base64').toString(), vector.name);
    }
    for (const vector of refused) {
      const keys = { ...vector, sharedSecret: fromBase64(vector.sharedSecret) };
      await assert.rejects(
        openMessage(keys, { ...vector, e2eeVersion: String(vector.version) }),
        { reason: vector.reason },
        vector.name,
      );
    }
  });

  test('takes a private key from the backup of an account, and says what is wrong with a passphrase', async () => {
    const { page } = bench;
    const { client, keyId, privateKey, publicKey } = ben;
    const entry = { version: 1, keyId, privateKey, publicKey, createdTime: 0 };
    const blob = await sealKeyChainBackup([entry], 'four plain words here');
    await client.KeyBackupService.putBackup({ expectedVersion: 0, blob: toBase64(blob) });
    await page.getByText('Take it from the backup of an account').click();
    await page.getByRole('combobox', { name: 'Backup of' }).selectOption({ label: 'ben' });
    const open = async (passphrase: string): Promise<void> => {
      await page.getByRole('textbox', { name: 'Passphrase' }).fill(passphrase);
      await page.getByRole('button', { name: 'Open the backup' }).click();
    };
    await open('another passphrase');
    await page.getByRole('alert').filter({ hasText: 'passphrase' }).waitFor();
    assert.equal(await page.getByRole('list', { name: 'Keys in the backup' }).count(), 0);
    await open('four plain words here');
    await page.getByRole('button', { name: `Use key ${keyId}` }).click();
    const field = page.getByRole('textbox', { name: 'Private key', exact: true });
    await page.waitForFunction(
      ([wanted]) => [...document.querySelectorAll('input')].some(({ value }) => value === wanted),
      [toBase64(privateKey)],
    );
    assert.equal(await field.inputValue(), toBase64(privateKey));
  });

  test('has its pictures in words too', async () => {
    const { page } = bench;
    for (const name of [/Ann negotiates/, /new group key/]) await page.getByRole('img', { name }).waitFor();
    await page.getByText('If Ben has a newer key, it refuses with code 84').waitFor();
    await page.getByText('Cara leaves. Key 3 is wrapped for those who stay.').waitFor();
  });
});

interface Vector {
  readonly version: 1 | 2;
  readonly sharedSecret: string;
  readonly to: string;
  readonly from: string;
  readonly contentType: number;
  readonly senderKeyId: number;
  readonly receiverKeyId: number;
  readonly chunks: readonly string[];
}

/** Opens a vector with Node alone, without any code of the packages. */
function openedByNode({ version, sharedSecret: secret, chunks, ...vector }: Vector): string {
  const [salt, cipher, third] = chunks.map((chunk) => Buffer.from(chunk, 'base64')) as [Buffer, Buffer, Buffer];
  const hash = (label: string): Buffer =>
    createHash('sha256').update(secret, 'base64').update(salt).update(label).digest();
  if (version === 1) {
    const iv = hash('IV');
    const folded = iv.subarray(0, 16).map((byte, at) => byte ^ (iv[at + 16] ?? 0));
    const opening = createDecipheriv('aes-256-cbc', hash('Key'), folded);
    return Buffer.concat([opening.update(cipher), opening.final()]).toString();
  }
  const numbers = Buffer.alloc(16);
  [vector.senderKeyId, vector.receiverKeyId, 2, vector.contentType].forEach((value, at) => {
    numbers.writeUInt32BE(value, 4 * at);
  });
  const opening = createDecipheriv('aes-256-gcm', hash('Key'), third);
  opening.setAAD(Buffer.concat([Buffer.from(vector.to + vector.from), numbers]));
  opening.setAuthTag(cipher.subarray(-16));
  return Buffer.concat([opening.update(cipher.subarray(0, -16)), opening.final()]).toString();
}
