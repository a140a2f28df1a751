// The parts of `node:http` that the server uses. An import of `node:http` itself reads every export of it, and some of
// them load fetch and WebSocket. That costs 13 MiB and a tenth of a second at each start.
export const { Agent, createServer, request, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http');
