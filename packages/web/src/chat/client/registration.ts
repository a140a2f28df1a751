// The calls with which somebody opens an account. They come before every login, so the engine has no part in them. Its
// client would store something in a browser in which perhaps nobody will log in.
import { Registration, RegistrationError, readInvite } from '@sealpost/sdk/registration';

export { RegistrationError, readInvite };

export const registration = new Registration({
  url: location.origin,
  fetch: (input, init) => fetch(input, init),
});
