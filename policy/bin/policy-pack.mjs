#!/usr/bin/env node
/**
 * The policy pack as one executable file, for engines (3.255 or later) whose language host cannot run a folder:
 * `pulumi preview --policy-pack …/policy/bin/policy-pack.mjs`.
 */
import { setInterval } from "node:timers";
import { fileURLToPath } from "node:url";

// A killed engine sends no signal, so the pack would wait for the engine forever.
const engine = process.ppid;
setInterval(() => process.ppid === engine || process.exit(), 1000).unref();

// PolicyPack reads its version from the package.json of the working directory.
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
await import("../dist/index.js");
