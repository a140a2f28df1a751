// Takes connections away from Node's HTTP server. For each of its connections, that server keeps a parser and the objects
// of the request. They take five times the memory of a plain socket. A stream lives for hours, and needs none of them.
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

/** Where the rest of a response is written to. */
export type Connection = Writable & { readonly setTimeout: (ms: number, callback: () => void) => unknown };

/** The sockets that now have the connections of others. */
const heirs = new WeakMap<object, Socket>();

/**
 * Returns a socket that has the connection of a response, whose head is written. Node's HTTP server forgets request and
 * response. Returns the response itself if the connection is not one of the system, or if bytes of it wait to be written.
 */
export function release(response: ServerResponse): Connection {
  const { socket } = response;
  const handle: unknown = socket && Reflect.get(socket, '_handle');
  if (!socket || !handle || socket.destroyed || socket.writableLength > 0) return response;
  // Node has no documented way to move a connection to another socket. The server goes on counting the connection.
  const server: unknown = Reflect.get(socket, '_server');
  Reflect.set(socket, '_handle', null);
  Reflect.set(socket, '_server', null);
  const heir: Socket = Reflect.construct(Socket, [{ handle, readable: true, writable: true }]);
  Reflect.set(heir, '_server', server);
  heirs.set(socket, heir);
  // Then the server frees the parser and everything else that belongs to the old socket. The parser may just be reading
  // further bytes of the client, and would fail without what is freed. So that waits until it has returned.
  setImmediate(() => socket.destroy());
  // The client has nothing more to say. Its bytes are read, because the end of the connection comes after them.
  return heir.resume();
}

/** Calls a function when a connection ends, whichever socket has it then. */
export function onConnectionEnd(socket: Socket, ended: () => void): void {
  socket.once('close', () => {
    const heir = heirs.get(socket);
    if (heir && !heir.closed) onConnectionEnd(heir, ended);
    else ended();
  });
}
