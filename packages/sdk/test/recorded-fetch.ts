// A fetch that notes each request, and that can answer in place of the server.

export interface RecordedRequest {
  readonly path: string;
  readonly headers: Headers;
  /** The arguments of a method, or another JSON body; undefined for other bodies. */
  readonly body: unknown;
}

/** Returns the answer to give in place of the server's; undefined to leave it. */
export type Instead = (request: RecordedRequest, ask: () => Promise<Response>) => Promise<Response> | undefined;

export interface RecordedFetch {
  readonly fetch: typeof fetch;
  readonly requests: RecordedRequest[];
  /** Returns the requests whose path, without the query, ends with this text. */
  to(end: string): RecordedRequest[];
}

export function recordedFetch(instead: Instead = () => undefined): RecordedFetch {
  const requests: RecordedRequest[] = [];
  const recorded: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(String(input));
    const body = typeof init?.body === 'string' && init.body !== '' ? JSON.parse(init.body) : undefined;
    const request = { path: pathname + search, headers: new Headers(init?.headers), body };
    requests.push(request);
    const ask = () => fetch(input, init);
    return instead(request, ask) ?? ask();
  };
  return {
    fetch: recorded,
    requests,
    to: (end) => requests.filter(({ path }) => path.split('?')[0]?.endsWith(end)),
  };
}

/** Changes the data of the answers of a method. */
export const changed =
  (method: string, change: (data: never) => unknown): Instead =>
  ({ path }, ask) =>
    path.endsWith(`/${method}`)
      ? ask().then(async (response) => {
          const body = await response.json();
          return Response.json({ ...body, data: change(body.data as never) });
        })
      : undefined;
