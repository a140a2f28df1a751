// The parts of `node:http` that the server uses. A direct import of `node:http` reads every export of that module, and
// some exports load fetch and WebSocket. That would cost 13 MiB and a tenth of a second at each start.
export const { Agent, createServer, request, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http');
