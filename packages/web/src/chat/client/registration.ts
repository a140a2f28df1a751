// The calls with which somebody opens an account. They are made before any login, so they do not go through the engine.
// The engine's client would store data in a browser in which perhaps nobody will log in.
import { Registration, RegistrationError, readInvite } from '@sealpost/sdk/registration';

export { RegistrationError, readInvite };

export const registration = new Registration({
  url: location.origin,
  fetch: (input, init) => fetch(input, init),
});
