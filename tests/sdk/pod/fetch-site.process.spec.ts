import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { archive, sha256, site } from "../../charts/support/archives.js";
import { brokenOff, BundleServer, status, whole } from "../../charts/support/bundle-server.js";
import { accessJson } from "../../charts/access/support/private-site.js";
import { FakeClock } from "../../fake-clock.js";
import { FetchPod } from "../../charts/support/fetch-pod.js";

const index = { name: "index.html", content: "x" };

describe("The pods' program", function () {
    this.timeout(60_000);
    let server: BundleServer;
    let pod: FetchPod;

    beforeEach(async () => {
        server = await BundleServer.start();
        pod = await FetchPod.create();
        await pod.writeSecret(server.link());
    });
    afterEach(async () => {
        server.stop();
        await pod.remove();
    });

    async function assertRefused(says: RegExp, run = () => pod.run()): Promise<void> {
        const { exitCode, log, message } = await run();
        assert.equal(exitCode, 1, log);
        assert.match(message, says);
        assert.ok(log.includes(message.trim()), "the log says the same as the termination message");
        assert.doesNotMatch(log + message, /s3cr3t/);
        assert.deepEqual(await readdir(pod.path("site")), [], "nothing is left behind");
    }

    it("unpacks the site, reports its version, and keeps the link out of the log", async () => {
        server.serve(await site());
        const { exitCode, log, message } = await pod.runProgram();
        assert.equal(exitCode, 0, log);
        assert.equal(message, "");
        assert.match(log, /Unpacked 3 files for everybody\. Ready to serve\./);
        assert.doesNotMatch(log, /s3cr3t/);
        assert.equal(await readFile(pod.path("site/public/index.html"), "utf8"), "<h1>Welcome</h1>");
        assert.equal(await readFile(pod.path("site/public/assets/a name with spaces.svg"), "utf8"), "<svg/>");
        assert.equal(await readFile(pod.path("site/healthz.json"), "utf8"), '{"status":"ok","version":"v1"}\n');
        const fetched = JSON.parse(await readFile(pod.path("site/fetched.json"), "utf8")) as object;
        assert.deepEqual({ ...fetched, bytes: 0 }, { attempts: 1, bytes: 0, from_cache: 0 });
        assert.deepEqual((await readdir(pod.path("site"))).sort(), [
            "access",
            "export-id",
            "fetched.json",
            "healthz.json",
            "public",
            "redirects",
        ]);
    });

    it("sends one request without an Authorization header", async () => {
        server.serve(await site());
        await pod.run();
        assert.equal(server.requests.length, 1);
        assert.equal(server.requests[0]?.path, "/se_42.tar.gz?signature=s3cr3t");
        assert.equal(server.requests[0]?.headers.authorization, undefined);
    });

    it("downloads nothing if the pod restarts with its site unpacked, even if the link has expired", async () => {
        server.serve(await site());
        await pod.run();
        server.answer = status(403);
        const { exitCode, log } = await pod.run();
        assert.equal(exitCode, 0, log);
        assert.equal(server.requests.length, 1);
    });

    it("retries transient failures", async () => {
        server.serveInTurn(status(503), brokenOff(await site()), whole(await site()));
        const { exitCode, log } = await pod.run();
        assert.equal(exitCode, 0, log);
        assert.match(log, /Attempt 1 of 6: HTTP 503 from 127\.0\.0\.1:\d+/);
        assert.match(log, /Attempt 2 of 6: The download from .* was interrupted/);
        assert.equal(server.requests.length, 3);
    });

    it("waits longer after each attempt, for up to 20 seconds", async () => {
        server.answer = status(503);
        const clock = new FakeClock();
        pod.clock = clock;
        pod.environment = { RETRY_DELAY_SECONDS: "2" };
        const { log } = await pod.run();
        assert.deepEqual(clock.sleptMs, [2000, 4000, 8000, 16_000, 20_000]);
        assert.match(log, /Attempt 5 of 6: .* Trying again in 20 s\./);
    });

    it("retries a download that takes longer than the limit of an attempt", async () => {
        server.serveInTurn(() => undefined, whole(await site()));
        pod.environment.ATTEMPT_TIMEOUT_SECONDS = "0.2";
        const { exitCode, log } = await pod.run();
        assert.equal(exitCode, 0, log);
        assert.match(log, /Attempt 1 of 6: The download from 127\.0\.0\.1:\d+ timed out\./);
    });

    it("replaces what an earlier export has left behind", async () => {
        server.serve(await site());
        await mkdir(pod.path("site/public"));
        await mkdir(pod.path("site/.work"));
        await writeFile(pod.path("site/public/old.html"), "old");
        await writeFile(pod.path("site/export-id"), "earlier");
        assert.equal((await pod.run()).exitCode, 0);
        assert.deepEqual((await readdir(pod.path("site/public"))).sort(), ["assets", "guides", "index.html"]);
        assert.equal(await readFile(pod.path("site/export-id"), "utf8"), pod.exportId);
        assert.ok(!(await readdir(pod.path("site"))).includes(".work"));
    });

    it("counts the files for everybody, and those for some readers", async () => {
        const access = accessJson({ "secret.html": { content: "s", groups: ["staff"] } });
        const entries = [index, { name: "secret.html", content: "s" }, { name: "access.json", content: access }];
        server.serve(await archive(entries));
        pod.environment.GROUPS_SEPARATOR = ",";
        const { log } = await pod.run();
        assert.match(
            log,
            /Unpacked 1 files for everybody\. Ready to serve\.\n1 files are for readers in certain groups\./,
        );
        server.serve(await site());
        await pod.restartElsewhere();
        assert.doesNotMatch((await pod.run()).log, /certain groups/);
    });

    it("uses the redirects of a bundle, and reports those that it leaves out", async () => {
        server.serve(await archive([index, { name: "static-export/redirects.map", content: '"/old" "/new";\n}\n' }]));
        const { log } = await pod.run();
        assert.match(log, /Warning: redirects\.map: line 2 is left out/);
        assert.equal(await readFile(pod.path("site/redirects/exact-0.map"), "utf8"), '"/old" "/old /new";\n');
    });

    it("serves a bundle without its redirects if they are larger than 4 MiB", async () => {
        const map = { name: "static-export/redirects.map", content: Buffer.alloc(4 * 1024 * 1024 + 1, "\n") };
        server.serve(await archive([index, map]));
        const { exitCode, log } = await pod.run();
        assert.equal(exitCode, 0, log);
        assert.match(log, /Warning: redirects\.map is not used, because it is larger than 4 MiB\./);
        server.serve(await archive([index, { ...map, content: map.content.subarray(1) }]));
        await pod.restartElsewhere();
        assert.doesNotMatch((await pod.run()).log, /Warning/);
    });

    it("gives up after the configured number of attempts", async () => {
        server.answer = status(503);
        pod.environment.ATTEMPTS = "3";
        await assertRefused(/HTTP 503/);
        assert.equal(server.requests.length, 3);
    });

    it("uses a link that was renewed between two attempts", async () => {
        const content = await site();
        server.answer = (request, response) => {
            const renewed = String(request.url).startsWith("/renewed");
            void pod.writeSecret(server.link("/renewed.tar.gz")).then(() => {
                response.writeHead(renewed ? 200 : 503).end(renewed ? content : "");
            });
        };
        assert.equal((await pod.run()).exitCode, 0);
        assert.equal(server.requests.length, 2);
    });

    for (const code of [400, 401]) {
        it(`reports HTTP ${code} as a refused link, and does not retry`, async () => {
            server.answer = status(code);
            await assertRefused(/bundle link was refused.*pulumi up/);
            assert.equal(server.requests.length, 1);
        });
    }

    it("reports another status without advice, and does not retry", async () => {
        server.answer = status(418);
        await assertRefused(/^HTTP 418 from 127\.0\.0\.1:\d+ instead of the bundle\.$/);
        assert.equal(server.requests.length, 1);
    });

    it("names a server that does not speak TLS or HTTP", async () => {
        pod.environment.ATTEMPTS = "1";
        await pod.writeSecret(server.link().replace("http:", "https:"));
        await assertRefused(/does not speak TLS at this port\. Check the scheme of staticExport\.bundleUrl/);
        const other = createServer((socket) => void socket.on("error", () => undefined).end("SSH-2.0\r\n\r\n"));
        await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
        await pod.writeSecret(`http://127.0.0.1:${(other.address() as AddressInfo).port}/x?s=s3cr3t`);
        await assertRefused(/does not speak HTTP\. Check the port of staticExport\.bundleUrl/);
        other.close();
    });

    it("says how much of an interrupted download has arrived", async () => {
        server.answer = brokenOff(Buffer.concat([await site(), Buffer.alloc(8 * 1024 * 1024)]));
        pod.environment.ATTEMPTS = "1";
        await assertRefused(/^The download from 127\.0\.0\.1:\d+ was interrupted after \d+ bytes\.$/);
    });

    for (const code of [403, 410]) {
        it(`reports HTTP ${code} as an expired link, suggests the next step, and does not retry`, async () => {
            server.answer = status(code);
            await assertRefused(/bundle link has expired.*pulumi up.*BundleMirror/, () => pod.runProgram());
            assert.equal(server.requests.length, 1);
        });
    }

    it("names the address that cannot be reached, also after a redirect", async () => {
        const location = "http://127.0.0.1:9/stored?signature=s3cr3t";
        server.answer = (_request, response) => response.writeHead(302, { location }).end();
        const { exitCode, message } = await pod.run();
        assert.equal(exitCode, 1);
        const { host } = new URL(server.link());
        assert.match(
            message,
            new RegExp(`No connection to 127\\.0\\.0\\.1:9, to which ${host} redirects\\. Check network`),
        );
        assert.doesNotMatch(message, /s3cr3t/);
    });

    it("reports a missing bundle", async () => {
        server.answer = status(404);
        await assertRefused(/HTTP 404 .* the bundle does not exist, or no longer exists/);
        assert.equal(server.requests.length, 1);
    });

    it("refuses a bundle if every download is interrupted", async () => {
        server.answer = brokenOff(await site());
        pod.environment.ATTEMPTS = "2";
        await assertRefused(/was interrupted/);
    });

    it("refuses a wrong digest, and accepts the correct digest", async () => {
        const content = await site();
        server.serve(content);
        pod.environment.EXPECTED_SHA256 = sha256(await site("another"));
        await assertRefused(new RegExp(`SHA-256 is ${sha256(content)}, but staticExport.sha256 says`));
        pod.environment.EXPECTED_SHA256 = sha256(content).toUpperCase();
        assert.equal((await pod.run()).exitCode, 0);
    });

    const link = { name: "start.html", linkname: "index.html" };
    for (const [what, bundle, says] of [
        [
            "that is truncated, although the download was complete",
            async () => (await site()).subarray(0, -20),
            /the archive is incomplete or damaged/,
        ],
        ["that is an error page", () => Buffer.from("<html>Sign in</html>"), /not a gzipped tar archive/],
        [
            "with a path that leaves its folder",
            () => archive([{ name: "guides/../../escaped.html", content: "x" }]),
            /The bundle is refused: the entry ".*" has "\.\." in its path\. Do not serve/,
        ],
        [
            "with a link, although it leads to a file of the bundle",
            () => archive([index, { ...link, type: "symlink" }]),
            /"start\.html" is a link, where only files and folders are accepted/,
        ],
        ["without pages", () => archive([{ name: "readme.txt", content: "x" }]), /contains no \.html page/],
    ] as const) {
        it(`refuses a bundle ${what}`, async () => {
            server.serve(await bundle());
            await assertRefused(says);
        });
    }

    it("refuses content that unpacks to more than the limit, however small the archive", async () => {
        const bomb = await archive([{ name: "index.html", content: Buffer.alloc(3 * 1024 * 1024) }]);
        assert.ok(bomb.length < 10_000);
        server.serve(bomb);
        pod.environment.MAX_SITE_MIB = "2";
        await assertRefused(/unpacks to more than .*2 MiB/);
        pod.environment.MAX_SITE_MIB = "4";
        assert.equal((await pod.run()).exitCode, 0);
    });

    it("refuses more entries than the limit", async () => {
        server.serve(await site());
        pod.environment.MAX_FILES = "4";
        await assertRefused(/more than fetch\.limits\.files \(4\)/);
        // Three files, and two folders without archive entries.
        pod.environment.MAX_FILES = "5";
        assert.equal((await pod.run()).exitCode, 0);
    });

    it("refuses a download larger than the limit, even without a Content-Length", async () => {
        server.answer = whole(Buffer.concat([await site(), Buffer.alloc(1024 * 1024)]));
        pod.environment.MAX_BUNDLE_MIB = "1";
        await assertRefused(/larger than fetch\.limits\.bundleMiB \(1 MiB\)/);
        assert.equal(server.requests.length, 1);
    });

    for (const bundleUrl of ["https://user:s3cr3t@127.0.0.1/x", "file:///etc/s3cr3t", 'http://127.0.0.1/"s3cr3t']) {
        it(`refuses the link ${bundleUrl} without printing it`, async () => {
            await pod.writeSecret(bundleUrl);
            await assertRefused(/not an http\(s\) address/);
        });
    }

    it("names the missing setting instead of starting", async () => {
        pod.environment.MAX_FILES = "";
        const { exitCode, log } = await pod.runProgram();
        assert.notEqual(exitCode, 0);
        assert.match(log, /MAX_FILES is not set/);
    });
});
