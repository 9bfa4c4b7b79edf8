import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rename, utimes, writeFile } from "node:fs/promises";
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
        assert.match((await pod.run()).log, /^Saved the bundle in the cache\.$/m);
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

    it("keeps the copies that pods used last, and files of other programs", async () => {
        const later = new Date(Date.now() + 60_000);
        for (const digit of "1234") {
            pod.exportId = digit.repeat(64);
            server.serve(await site(digit));
            await pod.restartElsewhere();
            await pod.run();
            if (digit === "1") {
                await utimes(await onlyCopy(), later, later);
                for (const file of ["notes.txt", "notes-1.2.tar.gz", "12.34.tar.gz.part"]) {
                    await writeFile(pod.path("cache", file), "");
                }
            }
        }
        const kept = await readdir(pod.path("cache"));
        const names = ["11111", "12.34", "33333", "44444", "notes", "notes"];
        assert.deepEqual(kept.map((name) => name.slice(0, 5)).sort(), names);
    });

    it("removes what killed pods have left behind for more than a day", async () => {
        server.serve(await site());
        await mkdir(pod.path("cache"));
        for (const [name, hours] of [
            [".old", 25],
            [".new", 23],
        ] as const) {
            const time = new Date(Date.now() - hours * 3_600_000);
            await writeFile(pod.path("cache", name), "");
            await utimes(pod.path("cache", name), time, time);
        }
        await pod.run();
        const hidden = (await readdir(pod.path("cache"))).filter((name) => name.startsWith("."));
        assert.deepEqual(hidden, [".new"]);
    });

    it("reports a cached copy that exceeds a limit", async () => {
        server.serve(await site());
        await pod.run();
        await pod.restartElsewhere();
        server.answer = status(403);
        pod.environment.MAX_FILES = "1";
        const { exitCode, log } = await pod.run();
        assert.equal(exitCode, 1);
        assert.match(log, /A cached copy is not usable: The bundle contains more than fetch\.limits\.files \(1\)/);
    });

    it("ignores a copy that cannot be read", async () => {
        await mkdir(pod.path("cache", `${pod.exportId}.${"0".repeat(64)}.tar.gz`), { recursive: true });
        server.answer = status(403);
        await assertExpired(/The cache does not contain this export either/);
    });

    it("records whether the site comes from the cache", async () => {
        const fetched = async () => JSON.parse(await readFile(pod.path("site/fetched.json"), "utf8")) as object;
        server.serve(await site());
        await pod.run();
        const { length } = await site();
        assert.deepEqual(await fetched(), { attempts: 1, bytes: length, from_cache: 0 });
        await pod.restartElsewhere();
        server.answer = status(403);
        await pod.run();
        assert.deepEqual(await fetched(), { attempts: 1, bytes: length, from_cache: 1 });
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
            const nested = styles("deep").replace("static-export/", "guides/static-export/de/fr/");
            const folder = { name: nested.replace(/site.*/, "other.txt"), content: "new" };
            await runExport("1", [
                { name: styles("old"), content: "old" },
                { name: nested, content: "deep" },
            ]);
            await runExport("2", [{ name: styles("new"), content: "new" }, folder]);
            assert.equal(await readPublic(styles("old")), "old");
            assert.equal(await readPublic(nested), "deep");
            assert.equal(await readPublic(styles("new")), "new");
            assert.equal(await readPublic("index.html"), "2");
        });

        it("are served for 30 days after the last pod has started with them", async () => {
            const age = async (days: number) => {
                const time = new Date(Date.now() - days * 24 * 3_600_000);
                await utimes(pod.path("cache/hashed", styles("old")), time, time);
            };
            await runExport("1", [{ name: styles("old"), content: "old" }]);
            await age(29);
            await runExport("2", [{ name: styles("new"), content: "new" }]);
            assert.equal(await readPublic(styles("old")), "old");
            await age(31);
            await runExport("3", [{ name: styles("new"), content: "new" }]);
            await assert.rejects(readPublic(styles("old")), { code: "ENOENT" });
            await assert.rejects(readFile(pod.path("cache/hashed", styles("old"))), { code: "ENOENT" });
        });

        it("are not served by an export without the theme's folder", async () => {
            await runExport("1", [{ name: styles("old"), content: "old" }]);
            await runExport("2", []);
            assert.deepEqual(await readdir(pod.path("site/public")), ["index.html"]);
        });

        it("are not served if they are damaged, have no digest, or are outside the theme's folder", async () => {
            const others = [
                "static-export/pages/0.js",
                styles("x").replace("static-export", "assets"),
                `${styles("x")}.map`,
            ];
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
