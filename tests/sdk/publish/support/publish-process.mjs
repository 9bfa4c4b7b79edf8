// Publishes a folder to another folder, and waits for its parent process's message before each write.
import { once } from "node:events";
import { FolderTarget, publishSite } from "@pulumi-static-export/sdk/publish";

const [folder, place, leaseMs] = process.argv.slice(2);
const writes = ["write", "writeRecord", "send", "copy", "remove"];

const target = await FolderTarget.open(place);
for (const name of writes) {
    const write = target[name].bind(target);
    target[name] = async (...values) => {
        const answered = once(process, "message");
        process.send(name);
        await answered;
        return write(...values);
    };
}
// Concurrent writes would wait for the same message.
Object.defineProperty(target, "concurrency", { value: 1 });
await publishSite(target, {
    owner: "docs",
    cacheControl: "no-cache",
    switching: "files",
    keep: 1,
    graceSeconds: 86_400,
    openSite: () => Promise.resolve({ folder }),
    signal: new AbortController().signal,
    log: () => undefined,
    leaseTimes: { leaseMs: Number(leaseMs), beatMs: Number(leaseMs) / 4 },
});
process.disconnect();
