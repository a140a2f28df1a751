// Generated from packages/reference/src/browser/app.ts by `npm run docs`.
// The script of the page /docs. The script lists the calls of /openapi.json, signs a chosen call with signature scheme
// 1, and shows the raw answer.
import { createSigner } from './signature.js';
import { encryptCredential,             } from './credential.js';
import {            callsOf,                                             } from './calls.js';
import { element, find } from './dom.js';
import { exampleOf } from './example.js';

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

async function send(call                                                  , text        )                 {
  const sign = await createSigner({ buildToken: buildToken.value, version, accessToken: token.value });
  const sent = call.verb === 'POST' ? text : '';
  const headers                         = {
    [`X-${brand}-Client-Version`]: version,
    'X-Hmac': await sign({ path: call.path, body: sent }),
    ...(token.value ? { [`X-${brand}-Access`]: token.value } : {}),
    ...(sent ? { 'Content-Type': 'application/json' } : {}),
  };
  const started = performance.now();
  const init              = { method: call.verb, headers, credentials: 'omit', ...(sent ? { body: sent } : {}) };
  const response = await fetch(call.path, init);
  return { status: response.status, text: await response.text(), ms: Math.round(performance.now() - started) };
}

function show({ status, text, ms }       )       {
  verdict.textContent = `HTTP ${status}, ${ms} ms`;
  verdict.dataset.good = String(status < 400);
  answer.textContent = pretty(text);
}

function showFailure(error         )       {
  verdict.textContent = 'Not sent';
  verdict.dataset.good = 'false';
  answer.textContent = error instanceof Error ? error.message : String(error);
}

const pretty = (text        )         => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** Logs in with a credential, and shows the answer. Keeps the access token if the login succeeds. */
async function logIn(userid        , password        )                {
  token.value = '';
  const keyReply = await send({ verb: 'POST', path: path.rsaKey }, '[1]');
  if (keyReply.status !== 200) return show(keyReply);
  const key = (JSON.parse(keyReply.text)                                                 ).data;
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
  const result = reply.status === 200 ? (JSON.parse(reply.text)                         ).data : undefined;
  if (result?.type === LOGIN_SUCCESS && result.tokenV3IssueResult) keepToken(result.tokenV3IssueResult.accessToken);
}

function keepToken(value        )       {
  token.value = value;
  sessionStorage.setItem(TOKEN_KEY, value);
}

let current                  ;

function choose(call      , root                 )       {
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

const emitted = ({ name, receivers }                  )              =>
  element('li', {}, element('code', {}, name), ...receivers.flatMap((text) => [element('br', {}), text]));

function showList(groups                                      )       {
  const sections = [...groups].map(([tag, calls]) =>
    element('section', {}, element('h3', {}, tag), element('ul', {}, ...calls.map(listed))),
  );
  list.replaceChildren(...sections);
}

const listed = (call      )              =>
  element(
    'li',
    { 'data-words': `${call.name} ${call.summary}`.toLowerCase() },
    element('a', { href: `#${call.name}`, title: call.summary }, call.shortName),
  );

function filterList()       {
  const word = search.value.trim().toLowerCase();
  for (const item of list.querySelectorAll('li')) item.hidden = !item.dataset.words?.includes(word);
  for (const section of list.querySelectorAll('section')) section.hidden = !section.querySelector('li:not([hidden])');
}

async function start()                {
  const root = (await (await fetch('/openapi.json')).json())                   ;
  const calls = callsOf(root);
  showList(Map.groupBy(calls, ({ tag }) => tag));
  const fromAddress = ()       => {
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
function compact(text        )         {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
