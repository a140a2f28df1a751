// The floor: a server with the least cost that a gateway could have. It uses only node:http. It reads the body of a
// request and checks its HMAC-SHA256. It returns the body, padded to the size of a real answer, and stores nothing.
// A request may name the size of its answer.
import { answer, serveSigned } from './bare-http.ts';
import { ANSWER_BYTES } from './request.ts';

const RESPONSE_BYTES = 700;
const FILLING = Buffer.alloc(2 ** 20, ' ');

serveSigned((request, response, body) => {
  const length = Number(request.headers[ANSWER_BYTES] ?? RESPONSE_BYTES);
  answer(response, 200, Buffer.concat([body, FILLING], length));
});
