// Object storage requires no X-Hmac, but a signature that is sent must be valid.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { clientVersion } from '@sealpost/contract';
import { prepareKey, sign } from '@sealpost/crypto/node';
import { startServer } from '@sealpost/dev-env/harness';
import { accessToken, objectClient } from '@sealpost/dev-env/object-client';

for (const mode of ['strict', 'lenient', 'off'] as const) {
  test(`signed uploads and downloads under ${mode}`, async (t) => {
    const server = await startServer({ flags: { signature: mode, 'build-tokens': 'first,second' } });
    t.after(() => server.close());
    const objects = objectClient(server);
    const alice = await server.user('alice');
    const signed = (path: string, body: Buffer, build = 'second') => {
      const key = prepareKey(build, clientVersion, accessToken(alice));
      return { 'X-Hmac': sign(key, path, body) };
    };
    const body = Buffer.from('signed bytes');
    const newPath = () => `/r/talk/emf/reqid-${randomUUID()}`;
    const wrong = mode === 'strict' ? 400 : 201;

    const path = newPath();
    const right = await objects.post(alice, path, body, signed(path, body));
    assert.equal(right.status, 201, right.body.toString());
    const again = await objects.post(alice, path, body, signed(path, Buffer.from('others')));
    assert.equal(again.status, wrong);

    for (const headers of [
      signed('/r/talk/emf/other', body),
      signed(path, body),
      { 'X-Hmac': sign(prepareKey('third', clientVersion, accessToken(alice)), path, body) },
    ]) {
      const other = newPath();
      const answer = await objects.post(alice, other, body, headers);
      assert.equal(answer.status, wrong, answer.body.toString());
      if (mode !== 'strict') continue;
      assert.equal(answer.json().code, 10005);
      // Nothing was stored, so the name is free for the right bytes.
      assert.equal((await objects.get(alice, `${other}/info.obs`)).status, 400);
      assert.equal((await objects.post(alice, other, body, signed(other, body))).status, 201);
    }

    const unformed = await objects.post(alice, newPath(), body, { 'X-Hmac': 'short' });
    assert.equal(unformed.status, mode === 'off' ? 201 : 400);

    const parted = newPath();
    const [first, second] = [body.subarray(0, 6), body.subarray(6)];
    const part = (range: string) => ({ Range: `bytes ${range}/${body.length}` });
    assert.equal((await objects.post(alice, parted, first, { ...part('0-5'), ...signed(parted, first) })).status, 200);
    const spoiled = await objects.post(alice, parted, second, { ...part('6-11'), ...signed(parted, first) });
    assert.equal(spoiled.status, wrong);
    if (mode === 'strict') {
      assert.equal((await objects.get(alice, `${parted}/info.obs`)).json().offset, 6);
      const whole = await objects.post(alice, parted, second, { ...part('6-11'), ...signed(parted, second) });
      assert.equal(whole.status, 201);
    }

    const info = `${parted}/info.obs`;
    const nothing = Buffer.alloc(0);
    assert.equal((await objects.get(alice, info, signed(info, nothing))).status, 200);
    assert.equal((await objects.get(alice, info, signed(info, body))).status, mode === 'strict' ? 400 : 200);
  });
}
