import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { FrameReader } from "../../../service/src/pods/frames.js";
import { type PodStepSettings, podStepVariable, runPodStep } from "../../../service/src/pods/pod-step.js";
import { withFolder } from "../../sdk/support/files.js";
import { waitUntil } from "../../wait-until.js";

const output = { baseFolder: ".", outputFolder: "out", diskMegabytes: 10 };

/** Runs the last container of a pod, and reads what it sends. */
async function receiveFrom(
    folder: string,
    given: Partial<PodStepSettings["output"]> = {},
): Promise<{ contents: Map<string, Buffer>; error?: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof receiveFrom>>>();
    const read = async (frames: FrameReader): Promise<Awaited<typeof promise>> => {
        const contents = new Map<string, Buffer>();
        for (;;) {
            const frame = await frames.next();
            if ("file" in frame) {
                contents.set(frame.file, await buffer(frames.content(frame.size)));
            } else if ("cache" in frame) {
                contents.set("the cache", await buffer(frames.content(frame.cache)));
            } else if ("error" in frame || "end" in frame) {
                return { contents, ...("error" in frame ? frame : {}) };
            }
        }
    };
    const server = createServer((request, response) => {
        void read(new FrameReader(request, "build"))
            .then(resolve, reject)
            .finally(() => response.end());
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const settings: PodStepSettings = { url, token: "token", output: { ...output, ...given } };
        await runPodStep("send", { [podStepVariable]: JSON.stringify(settings) }, folder);
        return await promise;
    } finally {
        server.closeAllConnections();
        server.close();
    }
}

describe("The first container of a pod", () => {
    it("reads the checkout to its end, which arrives after the end of the archive", async () => {
        await withFolder(async (folder) => {
            const [sent, pod] = [join(folder, "sent"), join(folder, "pod")];
            await mkdir(join(sent, "site"), { recursive: true });
            await mkdir(pod);
            await writeFile(join(sent, "site/index.md"), "# Docs\n");
            const archive = execFileSync("tar", ["-C", sent, "-cf", "-", "site"]);
            const page = () => readFile(join(pod, "site/index.md"), "utf8").catch(() => undefined);
            const server = createServer((request, response) => {
                response.write(archive);
                // Without a reader that waits for the end, the connection closes here.
                void waitUntil("the archive is unpacked", page)
                    .then(() => Promise.race([once(request, "close"), delay(300)]))
                    .finally(() => response.end());
            }).listen(0, "127.0.0.1");
            await once(server, "listening");
            try {
                const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
                const settings: PodStepSettings = { url, token: "token", output };
                await runPodStep("receive", { [podStepVariable]: JSON.stringify(settings) }, pod);
                assert.equal(await page(), "# Docs\n");
            } finally {
                server.closeAllConnections();
                server.close();
            }
        });
    });

    it("gives up a connection without an answer before it asks again", async () => {
        await withFolder(async (folder) => {
            const archive = execFileSync("tar", ["-C", folder, "-cf", "-", "."]);
            let first: Promise<unknown> | undefined;
            const server = createServer((request, response) => {
                if (first === undefined) {
                    first = once(request.socket, "close");
                } else {
                    response.end(archive);
                }
            }).listen(0, "127.0.0.1");
            await once(server, "listening");
            try {
                const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
                const settings: PodStepSettings = { url, token: "token", output };
                const env = { [podStepVariable]: JSON.stringify(settings) };
                await runPodStep("receive", env, folder, { answerMs: 100, pauseMs: 1 });
                await first;
            } finally {
                server.closeAllConnections();
                server.close();
            }
        });
    }).timeout(10_000);
});

describe("The last container of a pod", () => {
    it("sends the cache without a second copy on the disk, which could be too small", async () => {
        await withFolder(async (folder) => {
            await mkdir(join(folder, "site/out"), { recursive: true });
            await mkdir(join(folder, "home/.cache"), { recursive: true });
            await writeFile(join(folder, "site/out/index.html"), "page");
            await writeFile(join(folder, "home/.cache/a"), "kept");
            const { contents } = await receiveFrom(folder, { cacheMegabytes: 1 });
            assert.equal(contents.get("index.html")?.toString(), "page");
            const files = execFileSync("tar", ["-xOf", "-", "./home/a"], { input: contents.get("the cache") });
            assert.equal(files.toString(), "kept");
            assert.ok(!(await readdir(folder)).includes("cache.tar"));
        });
    });

    it("says which file it cannot read", async () => {
        const isRoot = process.geteuid?.() === 0;
        await withFolder(async (folder) => {
            const file = join(folder, "site/out/index.html");
            await mkdir(dirname(file), { recursive: true });
            await writeFile(file, "page");
            await chmod(folder, 0o755);
            await chmod(file, 0);
            try {
                // The superuser reads all files.
                void (isRoot && process.seteuid?.(65_534));
                const { error = "" } = await receiveFrom(folder);
                assert.match(error, /^EACCES: permission denied, open '.*site\/out\/index\.html'$/);
            } finally {
                void (isRoot && process.seteuid?.(0));
            }
        });
    }).timeout(10_000);
});
