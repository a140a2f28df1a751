#!/usr/bin/env -S node --max-semi-space-size=16
// Plain JavaScript, so that an older runtime gets as far as reading why it cannot go on. The flag limits the heap of new
// objects. With half of it, objects of waiting sends become old ones too early: 400 sends in flight then take a sixth more
// of the processor, and 90 MiB more. Twice of it saves a twentieth, and takes 50 MiB more.
const needed = 24;

if (Number(process.versions.node.split('.')[0]) < needed) {
  console.error(`sealpost needs Node ${needed} or newer; this is ${process.versions.node}.
In a clone of the repository, "npm ci" installs the right one: run "npx sealpost …" or "npm start".
Elsewhere: https://nodejs.org`);
  process.exit(1);
}

// Scripts are compiled once for all starts: they begin faster and take 30 MiB less. The cache is code, so it lies where
// only this user writes; where it cannot, there is none. By a variable, because that is what threads go by.
const { enableCompileCache, flushCompileCache } = await import('node:module');
const { homedir } = await import('node:os');
process.env.NODE_COMPILE_CACHE ||= `${process.env.XDG_CACHE_HOME || `${homedir()}/.cache`}/sealpost`;
enableCompileCache();
const { run } = await import('../src/main.ts');
// Whoever ends a server with SIGKILL has it for the next one all the same.
flushCompileCache();
process.exitCode = await run(process.argv.slice(2));
