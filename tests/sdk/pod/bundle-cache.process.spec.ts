import assert from "node:assert/strict";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { archive, type Entry, sha256, site } from "../../charts/support/archives.js";
import { BundleServer, status } from "../../charts/support/bundle-server.js";
import { FetchPod } from "../../charts/support/fetch-pod.js";

const styles = (text: string) => `static-export/site.${sha256(Buffer.from(text)).slice(0, 8)}.css`;

describe("The pods' program with a cache", function () {
    this.timeout(60_000);
    let server: BundleServer;
    let pod: FetchPod;

    beforeEach(async () => {
        server = await BundleServer.start();
        pod = await FetchPod.create();
        pod.environment.CACHE_DIR = pod.path("cache");
        await pod.writeSecret(server.link());
    });
    afterEach(async () => {
        server.stop();
        await pod.remove();
    });

    async function assertExpired(says: RegExp): Promise<void> {
        const { exitCode, log, message } = await pod.run();
        assert.equal(exitCode, 1, log);
        assert.match(message, says);
        assert.deepEqual(await readdir(pod.path("site")), [], "nothing is left behind");
    }

    async function onlyCopy(): Promise<string> {
        const copies = await readdir(pod.path("cache"));
        assert.equal(copies.length, 1, copies.join());
        return pod.path("cache", String(copies[0]));
    }

    it("serves the cached copy if the link has expired, and logs the expiry", async () => {
        server.serve(await site());
        await pod.runProgram();
        await pod.restartElsewhere();
        server.answer = status(403);
        const { exitCode, log } = await pod.runProgram();
        assert.equal(exitCode, 0, log);
        assert.match(log, /SERVING FROM THE CACHE: HTTP 403 .* link has expired/);
        assert.equal(await readFile(pod.path("site/public/index.html"), "utf8"), "<h1>Welcome</h1>");
    });

    it("prefers the bundle to the cached copy while the link works", async () => {
        server.serve(await site());
        await pod.run();
        await pod.restartElsewhere();
        assert.doesNotMatch((await pod.run()).log, /CACHE/);
        assert.equal(server.requests.length, 2);
    });

    it("never serves a different export from the cache", async () => {
        server.serve(await site());
        await pod.run();
        await pod.restartElsewhere();
        pod.exportId = "d".repeat(64);
        await pod.writeSecret(server.link());
        server.answer = status(403);
        await assertExpired(/link has expired.* The cache does not contain this export either/);
    });

    it("never serves a damaged copy", async () => {
        server.serve(await site());
        await pod.run();
        await pod.restartElsewhere();
        await writeFile(await onlyCopy(), await site("damaged"));
        server.answer = status(403);
        await assertExpired(/link has expired/);
    });

    it("serves the intact copy if another copy is damaged, whichever copy it checks first", async () => {
        for (const digest of ["0".repeat(64), "f".repeat(64)]) {
            server.serve(await site());
            await pod.run();
            await pod.restartElsewhere();
            await writeFile(pod.path("cache", `${pod.exportId}.${digest}.tar.gz`), await site("damaged"));
            server.answer = status(403);
            const { exitCode, log } = await pod.run();
            assert.equal(exitCode, 0, log);
            assert.equal(await readFile(pod.path("site/public/index.html"), "utf8"), "<h1>Welcome</h1>");
            // The message does not name this value, because the user did not set it.
            assert.doesNotMatch(log, /staticExport\.sha256/);
            await pod.restartElsewhere();
        }
    });

    it("reports the digest that was stored with a damaged copy", async () => {
        const digest = "0".repeat(64);
        server.serve(await site());
        await pod.run();
        await pod.restartElsewhere();
        await rename(await onlyCopy(), pod.path("cache", `${pod.exportId}.${digest}.tar.gz`));
        server.answer = status(403);
        const { log } = await pod.run();
        assert.match(
            log,
            new RegExp(`cached copy is damaged: its SHA-256 was ${digest} when it was saved, and is now`),
        );
    });

    it("keeps only the newest copy of an export", async () => {
        for (const text of ["packed", "packed anew"]) {
            server.serve(await site(text));
            await pod.run();
            await pod.restartElsewhere();
        }
        assert.ok((await onlyCopy()).includes(sha256(await site("packed anew"))));
    });

    it("keeps the current copy and the two newest others", async () => {
        for (const digit of "1234") {
            pod.exportId = digit.repeat(64);
            await pod.writeSecret(server.link());
            server.serve(await site(digit));
            await pod.restartElsewhere();
            assert.equal((await pod.run()).exitCode, 0);
        }
        const kept = await readdir(pod.path("cache"));
        assert.equal(kept.length, 3, kept.join());
        assert.ok(kept.some((name) => name.startsWith("4".repeat(64))));
    });

    it("serves the site without the cache if the cache is not writable", async () => {
        await writeFile(pod.path("cache"), "not a folder");
        server.serve(await site());
        const { exitCode, log } = await pod.run();
        assert.equal(exitCode, 0, log);
        assert.match(log, /Warning: could not save the bundle in the cache/);
    });

    describe("shares files of earlier exports, which", () => {
        /** Fetches the next export of the site in another pod. */
        async function runExport(digit: string, entries: Entry[]): Promise<void> {
            pod.exportId = digit.repeat(64);
            await pod.writeSecret(server.link());
            await pod.restartElsewhere();
            server.serve(await archive([{ name: "index.html", content: digit }, ...entries]));
            const { exitCode, log } = await pod.run();
            assert.equal(exitCode, 0, log);
        }

        const readPublic = (file: string) => readFile(pod.path("site/public", file), "utf8");

        it("are served if they are styles or scripts of the theme", async () => {
            await runExport("1", [{ name: styles("old"), content: "old" }]);
            await runExport("2", [{ name: styles("new"), content: "new" }]);
            assert.equal(await readPublic(styles("old")), "old");
            assert.equal(await readPublic(styles("new")), "new");
            assert.equal(await readPublic("index.html"), "2");
        });

        it("are not served if they are damaged, have no digest, or are outside the theme's folder", async () => {
            const others = ["static-export/pages/0.js", styles("x").replace("static-export", "assets")];
            const otherFiles = others.map((name) => ({ name, content: "x" }));
            await runExport("1", [{ name: styles("old"), content: "old" }, ...otherFiles]);
            await writeFile(pod.path("cache/hashed", styles("old")), "damaged");
            await runExport("2", [{ name: styles("new"), content: "new" }]);
            for (const file of [styles("old"), ...others]) {
                await assert.rejects(readPublic(file), { code: "ENOENT" });
            }
        });
    });
});
