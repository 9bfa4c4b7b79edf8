// The host of dynamic providers with our compiled mirrors: `node mirror-process.mjs <JSON of settings>`. Like Pulumi's
// host, this script loads Pulumi's SDK and TypeScript before our code. The script prints the results of the copies, and
// the process's maximum memory.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { AdminClient } from "@pulumi-static-export/sdk";
import { EngineWatch } from "../../../provider/dist/engine/engine-watch.js";
import { Journal } from "../../../provider/dist/engine/journal/journal.js";
import { MirrorLifecycle } from "../../../provider/dist/bundle-mirror/lifecycle.js";
import { Storage } from "../../../provider/dist/bundle-mirror/storage/storage.js";

const { baseUrl, mirrors, credentials, engineAddress } = JSON.parse(process.argv[2]);
const require = createRequire(import.meta.url);
require("@pulumi/pulumi");
require("typescript");

const engine = new EngineWatch(engineAddress);
engine.start();
const lifecycle = new MirrorLifecycle({
    connect: () => ({ client: new AdminClient({ baseUrl, adminApiKey: "test_0123456789" }) }),
    openStorage: (given) => Storage.open(given, credentials),
    engine,
    journal: new Journal(undefined, { report: () => undefined }),
    clock: { now: Date.now },
    log: () => undefined,
    signal: engine.gone,
});
const before = maxRssBytes();
const copies = await Promise.all(mirrors.map((inputs) => lifecycle.create(inputs)));
const measures = copies.map(({ outs: { sha256, sizeBytes } }) => ({ sha256, sizeBytes }));
console.log(JSON.stringify({ measures, maxRssBytes: maxRssBytes(), maxRssBytesBefore: before }));

/** Linux includes the parent process's memory in maxRSS; VmHWM counts only this program's memory. */
function maxRssBytes() {
    return process.platform === "linux"
        ? Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024
        : process.resourceUsage().maxRSS * 1024;
}
