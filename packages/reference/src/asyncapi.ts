// The operation stream as an AsyncAPI 3.0 document: every operation that some method emits, and the control events.
import { type AppendedType, httpPaths, operationParameters, operationTypes, parameterKinds } from '@sealpost/contract';
import { Operation } from '@sealpost/contract/schemas';
import { type Cause, emittedOperations } from './emitted-operations.ts';
import { createComponents, type JsonObject } from './json-schema.ts';
import type { DocumentInfo } from './openapi.ts';
import { controlEvents } from './source.ts';

export function asyncApi({ url, brand, version }: DocumentInfo): JsonObject {
  const components = createComponents();
  const operation = components.schema(Operation);
  const operations = emittedOperations().map(({ type, causes }): [string, JsonObject] => [
    type,
    operationMessage(type, causes, operation as JsonObject),
  ]);
  const events = controlEvents.map(([name, { summary, data, closes }]): [string, JsonObject] => [
    name,
    { name, title: name, summary, payload: components.schema(data), 'x-sse-event': name, 'x-closes': closes },
  ]);
  const messages = [...operations, ...events];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Sealpost operation stream',
      version,
      license: { name: 'Apache-2.0' },
      description: `Server-sent events. Operations are unnamed events with \`id: <revision>\`; control events are named. Open it with the token in \`X-${brand}-Access\` or in the cookie \`lct\`, and with \`localRev\`, the last revision that you know.`,
    },
    servers: { gateway: { host: new URL(url).host, protocol: new URL(url).protocol.slice(0, -1) } },
    defaultContentType: 'application/json',
    channels: {
      operations: {
        address: httpPaths.operationReceive,
        messages: Object.fromEntries(messages.map(([key]) => [key, { $ref: `#/components/messages/${key}` }])),
      },
    },
    operations: Object.fromEntries(
      messages.map(([key, { summary }]) => [
        `send_${key}`,
        {
          action: 'send',
          channel: { $ref: '#/channels/operations' },
          summary,
          messages: [{ $ref: `#/channels/operations/messages/${key}` }],
        },
      ]),
    ) as JsonObject,
    components: { messages: Object.fromEntries(messages), schemas: components.all() },
  };
}

function operationMessage(type: AppendedType, causes: readonly Cause[], operation: JsonObject): JsonObject {
  const number = operationTypes[type];
  return {
    name: type,
    title: `${number} ${type}`,
    summary: causes.map(({ method, to }) => `${method} (to ${to})`).join(', '),
    payload: { allOf: [operation, { type: 'object', properties: { type: { const: number } } }] },
    'x-parameters': operationParameters[type].map(({ name, kind }) => ({ name, kind: parameterKinds[kind] })),
    'x-emitted-by': causes.map((cause) => ({ ...cause })),
  };
}
