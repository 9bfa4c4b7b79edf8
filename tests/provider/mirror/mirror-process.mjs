// A provider's process with one mirror in it, compiled as users run it: `node mirror-process.mjs <JSON of settings>`.
// It prints what the copy measures, and the most memory that the process had.
import { readFileSync } from "node:fs";
import { AdminClient } from "@pulumi-static-export/sdk";
import { MirrorLifecycle } from "../../../provider/dist/mirror/lifecycle.js";
import { Storage } from "../../../provider/dist/mirror/storage.js";

const { baseUrl, inputs, credentials } = JSON.parse(process.argv[2]);
const lifecycle = new MirrorLifecycle({
    connect: () => ({ client: new AdminClient({ baseUrl, adminApiKey: "test_0123456789" }) }),
    openStorage: (given) => Storage.open(given, credentials),
    clock: { now: Date.now },
    print: () => undefined,
});
const { outs } = await lifecycle.create(inputs);
// Linux counts the memory of the process that started this one into maxRSS; VmHWM is this program's own.
const maxRssBytes =
    process.platform === "linux"
        ? Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024
        : process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ sha256: outs.sha256, sizeBytes: outs.sizeBytes, maxRssBytes }));
