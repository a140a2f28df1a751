// The script of the worker. Browsers with WebKit evaluate the script of a worker again when a part that is loaded later
// imports it. So the engine is in another file, and no part imports this one.
import './engine.ts';
