// The script of the page /docs. The script lists the calls of /openapi.json, signs a chosen call with signature scheme
// 1, and shows the raw answer.
import { createSigner } from '@sealpost/crypto';
import { encryptCredential, type RsaKey } from '@sealpost/sdk/credential';
import { type Call, callsOf, type EmittedOperation, type OpenApiDocument } from './calls.ts';
import { element, find } from './dom.ts';
import { exampleOf } from './example.ts';

const settings = document.body.dataset;
const brand = settings.brand ?? 'Svc';
const version = settings.clientVersion ?? '';
const path = { rsaKey: settings.rsaKeyPath ?? '', login: settings.loginPath ?? '' };
const LOGIN_SUCCESS = 1;
const TOKEN_KEY = 'sealpost.docs.token';

const search = find('search', HTMLInputElement);
const list = find('calls', HTMLElement);
const token = find('token', HTMLInputElement);
const buildToken = find('build-token', HTMLInputElement);
const body = find('body', HTMLTextAreaElement);
const answer = find('answer', HTMLElement);
const verdict = find('verdict', HTMLElement);
const callForm = find('call', HTMLFormElement);

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

async function send(call: { readonly verb: string; readonly path: string }, text: string): Promise<Reply> {
  const sign = await createSigner({ buildToken: buildToken.value, version, accessToken: token.value });
  const sent = call.verb === 'POST' ? text : '';
  const headers: Record<string, string> = {
    [`X-${brand}-Client-Version`]: version,
    'X-Hmac': await sign({ path: call.path, body: sent }),
    ...(token.value ? { [`X-${brand}-Access`]: token.value } : {}),
    ...(sent ? { 'Content-Type': 'application/json' } : {}),
  };
  const started = performance.now();
  const init: RequestInit = { method: call.verb, headers, credentials: 'omit', ...(sent ? { body: sent } : {}) };
  const response = await fetch(call.path, init);
  return { status: response.status, text: await response.text(), ms: Math.round(performance.now() - started) };
}

function show({ status, text, ms }: Reply): void {
  verdict.textContent = `HTTP ${status}, ${ms} ms`;
  verdict.dataset.good = String(status < 400);
  answer.textContent = pretty(text);
}

function showFailure(error: unknown): void {
  verdict.textContent = 'Not sent';
  verdict.dataset.good = 'false';
  answer.textContent = error instanceof Error ? error.message : String(error);
}

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

interface Envelope<T> {
  readonly message: string;
  readonly data: T;
}
interface LoginAnswer {
  readonly type: number;
  readonly tokenV3IssueResult?: { readonly accessToken: string };
}

/** Logs in with a credential, and shows the answer. Keeps the access token if the login succeeds. */
async function logIn(userid: string, password: string): Promise<void> {
  token.value = '';
  const keyReply = await send({ verb: 'POST', path: path.rsaKey }, '[1]');
  if (keyReply.status !== 200) return show(keyReply);
  const key = (JSON.parse(keyReply.text) as Envelope<RsaKey & { readonly keynm: string }>).data;
  const request = {
    type: 0,
    identityProvider: 1,
    identifier: key.keynm,
    password: encryptCredential(key, userid, password),
    keepLoggedIn: false,
    systemName: 'docs page',
  };
  const reply = await send({ verb: 'POST', path: path.login }, JSON.stringify([request]));
  show(reply);
  const result = reply.status === 200 ? (JSON.parse(reply.text) as Envelope<LoginAnswer>).data : undefined;
  if (result?.type === LOGIN_SUCCESS && result.tokenV3IssueResult) keepToken(result.tokenV3IssueResult.accessToken);
}

function keepToken(value: string): void {
  token.value = value;
  sessionStorage.setItem(TOKEN_KEY, value);
}

let current: Call | undefined;

function choose(call: Call, root: OpenApiDocument): void {
  current = call;
  find('name', HTMLElement).textContent = call.name;
  find('address', HTMLElement).textContent = `${call.verb} ${call.path}`;
  find('summary', HTMLElement).textContent = call.summary;
  find('facts', HTMLElement).textContent = `limit ${call.limit}`;
  find('errors', HTMLElement).replaceChildren(...call.errors.map((name) => element('li', {}, name)));
  find('operations', HTMLElement).replaceChildren(...call.operations.map(emitted));
  find('emitted', HTMLElement).hidden = call.operations.length === 0;
  find('schema', HTMLElement).textContent = JSON.stringify(call.body ?? {}, null, 2);
  body.value = call.verb === 'POST' ? JSON.stringify(exampleOf(call.body ?? {}, root), null, 2) : '';
  body.disabled = call.verb !== 'POST';
  callForm.hidden = false;
  for (const link of list.querySelectorAll('a')) link.removeAttribute('aria-current');
  list.querySelector(`a[href="#${CSS.escape(call.name)}"]`)?.setAttribute('aria-current', 'true');
}

const emitted = ({ name, receivers }: EmittedOperation): HTMLElement =>
  element('li', {}, element('code', {}, name), ...receivers.flatMap((text) => [element('br', {}), text]));

function showList(groups: ReadonlyMap<string, readonly Call[]>): void {
  const sections = [...groups].map(([tag, calls]) =>
    element('section', {}, element('h3', {}, tag), element('ul', {}, ...calls.map(listed))),
  );
  list.replaceChildren(...sections);
}

const listed = (call: Call): HTMLElement =>
  element(
    'li',
    { 'data-words': `${call.name} ${call.summary}`.toLowerCase() },
    element('a', { href: `#${call.name}`, title: call.summary }, call.shortName),
  );

function filterList(): void {
  const word = search.value.trim().toLowerCase();
  for (const item of list.querySelectorAll('li')) item.hidden = !item.dataset.words?.includes(word);
  for (const section of list.querySelectorAll('section')) section.hidden = !section.querySelector('li:not([hidden])');
}

async function start(): Promise<void> {
  const root = (await (await fetch('/openapi.json')).json()) as OpenApiDocument;
  const calls = callsOf(root);
  showList(Map.groupBy(calls, ({ tag }) => tag));
  const fromAddress = (): void => {
    const call = calls.find(({ name }) => `#${name}` === decodeURIComponent(location.hash)) ?? calls[0];
    if (call) choose(call, root);
  };
  addEventListener('hashchange', fromAddress);
  fromAddress();
}

search.addEventListener('input', filterList);
token.value = sessionStorage.getItem(TOKEN_KEY) ?? '';
token.addEventListener('change', () => sessionStorage.setItem(TOKEN_KEY, token.value));
callForm.addEventListener('submit', (event) => {
  event.preventDefault();
  if (current) send(current, compact(body.value)).then(show, showFailure);
});
find('login', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  const password = find('password', HTMLInputElement);
  logIn(find('userid', HTMLInputElement).value, password.value).catch(showFailure);
  password.value = '';
});
start().catch(showFailure);

/** Returns the body to send: JSON without spaces. Text that is not JSON stays as it was typed. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
