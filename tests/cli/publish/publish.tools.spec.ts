import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeFiles } from "../../exporter/support/site-fixture.js";
import { bucket, useS3Server } from "../../provider/bundle-mirror/s3-server.js";
import { PlatformServer } from "../../provider/bundle-mirror/platform-server.js";
import { bin, Command, type Outcome } from "../support/command.js";

const run = promisify(execFile);

describe("static-export publish", () => {
    const s3 = useS3Server();
    let folder: string;

    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-spec-"));
        await writeFiles(folder, {
            "tmp/.keep": "",
            "site/index.html": "<h1>Home</h1>",
            "site/404.html": "nothing here",
            "site/guide/intro.html": "<h1>Intro</h1>",
        });
        await mkdir(join(folder, "served"));
        await run("tar", ["-czf", "site.tar.gz", "-C", "site", "."], { cwd: folder });
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    const publish = async (args: string[], env: Record<string, string> = {}): Promise<Outcome> => {
        const settings = { cwd: folder, env: { TMPDIR: join(folder, "tmp"), ...env } };
        const outcome = await new Command(["publish", ...args], settings).exited;
        assert.deepEqual(await readdir(join(folder, "tmp")), [".keep"], "something was left in the temporary folder");
        return outcome;
    };

    it("publishes one folder to another, and then reports that nothing had to be sent", async () => {
        const place = `file://${folder}/served`;
        const { exitCode, stdout, stderr } = await publish(["site", "--to", place]);
        assert.equal(exitCode, 0, stderr);
        const lines = stdout.split("\n");
        assert.deepEqual(lines.slice(0, 2), [
            `published ${place}/`,
            "files     3: 3 sent (39 bytes), 0 copied there, 0 removed",
        ]);
        assert.match(lines[2] ?? "", /^live {6}[0-9a-f]{12} since 2\S+Z$/);
        assert.equal(await readFile(join(folder, "served/guide/intro.html"), "utf8"), "<h1>Intro</h1>");
        assert.match((await publish(["site", "--to", "file://served"])).stdout, /files {5}3: nothing had to be sent/);
    });

    for (const name of ["docs.json", "index.md"]) {
        it(`refuses a folder with ${name} that nobody has built, and says how to build it`, async () => {
            await writeFiles(folder, { [`docs/${name}`]: "{}" });
            const { exitCode, stderr } = await publish(["docs", "--to", "file://served"]);
            assert.equal(exitCode, 2);
            assert.match(
                stderr,
                /^error: docs is a folder of Markdown, .* run static-export build docs --output site /,
            );
            assert.deepEqual(await readdir(join(folder, "served")), []);
        });
    }

    it("says that a site was exported without a domain, and how to export it with one", async () => {
        const facts = {
            ...{ version: 1, basePath: "", deployment: "client-hosted", pages: 1, privatePages: 0 },
            features: { documentationSearch: true, aiAssistant: false, webAnalytics: false, apiPlayground: false },
            ...{ services: [], apiServers: [], aiTools: [], embeds: [] },
        };
        const noteFor = async (domain: string) => {
            await writeFiles(folder, { "site/static-export/bundle.json": JSON.stringify({ ...facts, domain }) });
            const { exitCode, stderr } = await publish(["site", "--to", "file://served"]);
            assert.equal(exitCode, 0, stderr);
            return stderr;
        };
        assert.match(await noteFor("localhost"), /exported without a domain.*export it again with --domain/);
        assert.doesNotMatch(await noteFor("docs.example.com"), /--domain/);
    });

    it("publishes an archive to a bucket, and reports the result as JSON", async () => {
        const place = ["--to", `s3://${bucket}/docs`, "--bucket-endpoint", s3().endpoint];
        const { exitCode, stdout, stderr } = await publish(["site.tar.gz", ...place, "--json"]);
        assert.equal(exitCode, 0, stderr);
        const { sha256, ...done } = JSON.parse(stdout) as Record<string, unknown>;
        const { stdout: sum } = await run("sha256sum", ["site.tar.gz"], { cwd: folder });
        assert.equal(sha256, sum.slice(0, 64));
        assert.deepEqual([done["place"], done["sentFiles"]], [`s3://${bucket}/docs/`, 3]);
        assert.deepEqual(done["written"], ["guide/intro.html", "404.html", "index.html"]);
        assert.equal(String(await s3().read("docs/index.html")), "<h1>Home</h1>");
    });

    it("publishes the bundle of a job, and rolls back to an earlier bundle without the platform", async () => {
        const platform = await PlatformServer.start();
        try {
            const place = ["--to", `s3://${bucket}/docs`, "--bucket-endpoint", s3().endpoint, "--keep", "1"];
            const env = {
                STATIC_EXPORT_BASE_URL: platform.url,
                STATIC_EXPORT_ADMIN_API_KEY: "test_0123456789abcdef",
            };
            platform.serve(await readFile(join(folder, "site.tar.gz")));
            await publish(["se_1", ...place], env);
            await writeFile(join(folder, "site/index.html"), "new");
            await run("tar", ["-czf", "site.tar.gz", "-C", "site", "."], { cwd: folder });
            platform.serve(await readFile(join(folder, "site.tar.gz")));
            await publish(["se_2", ...place], env);
            assert.equal(String(await s3().read("docs/index.html")), "new");
            const back = await publish(["se_1", ...place]);
            assert.equal(back.exitCode, 0, back.stderr);
            assert.equal(String(await s3().read("docs/index.html")), "<h1>Home</h1>");
            assert.equal(platform.downloads, 2);
            assert.match(back.stdout, /^live {6}se_1 since 2\S+Z\nkept {6}se_2$/m);
            const listed = await run(process.execPath, [bin, "releases", ...place.slice(1, 4)]);
            const rows = listed.stdout.split("\n").map((row) => row.split(/ +/).slice(0, 2));
            assert.deepEqual(rows.slice(0, 3), [
                ["STATE", "ID"],
                ["live", "se_1"],
                ["kept", "se_2"],
            ]);
        } finally {
            platform.stop();
        }
    });

    it("removes a published site with unpublish, which lists the files first with --dry-run", async () => {
        const place = [`s3://${bucket}/docs`, "--bucket-endpoint", s3().endpoint];
        await publish(["site", "--to", ...place]);
        const unpublish = (...args: string[]) => new Command(["unpublish", ...place, ...args], { cwd: folder }).exited;
        const planned = await unpublish("--dry-run");
        assert.deepEqual(planned.stdout.split("\n").slice(0, 4), [
            "remove    404.html",
            "remove    guide/intro.html",
            "remove    index.html",
            "dry run   would remove 3 files",
        ]);
        const refused = await unpublish("--owner", "blog");
        assert.deepEqual([refused.exitCode, (await s3().keys()).length], [1, 6]);
        assert.match(refused.stderr, /belongs to "static-export", and this run removes a site of "blog"/);
        const removed = await unpublish();
        assert.equal(removed.stdout, `removed   s3://${bucket}/docs/: 3 files\n`);
        assert.deepEqual(await s3().keys(), []);
        assert.match((await unpublish()).stderr, /No site is published at .*: it has no record/);
    });

    it("keeps the releases of a folder, and --to-release makes one live again", async () => {
        const place = ["--to", `file://${folder}/served`];
        await writeFiles(folder, { "site/static-export/version.json": '{"version":"v1"}' });
        await publish(["site", ...place, "--keep", "1"]);
        await writeFiles(folder, { "site/index.html": "new", "site/static-export/version.json": '{"version":"v2"}' });
        const { stdout } = await publish(["site", ...place]);
        const [, id = ""] = /^kept {6}([0-9a-f]{12})$/m.exec(stdout) ?? [];
        const listed = await run(process.execPath, [bin, "releases", place[1]!]);
        assert.match(listed.stdout, new RegExp(String.raw`^live +[0-9a-f]{12} +v2 .*\nkept +${id} +v1 `, "m"));
        const back = await publish([...place, "--to-release", id]);
        assert.match(back.stdout, new RegExp(`^live {6}${id} since`, "m"), back.stderr);
        assert.equal(await readFile(join(folder, "served/index.html"), "utf8"), "<h1>Home</h1>");
        const both = await publish(["site", ...place, "--to-release", id]);
        assert.deepEqual([both.exitCode, /Name either a site to publish/.test(both.stderr)], [2, true]);
        assert.equal((await publish([...place, "--to-release", "v9"])).exitCode, 1);
        const stillKept = await publish(["site", ...place]);
        assert.match(stillKept.stdout, new RegExp(`^kept {6}${id}$`, "m"));
        assert.doesNotMatch((await publish(["site", ...place, "--keep", "0"])).stdout, /^kept/m);
    });

    it("keeps no release unless --keep asks for it, and releases says so", async () => {
        const place = `file://${folder}/served`;
        await publish(["site", "--to", place]);
        await writeFiles(folder, { "site/index.html": "new" });
        assert.doesNotMatch((await publish(["site", "--to", place])).stdout, /^kept/m);
        const { stdout } = await run(process.execPath, [bin, "releases", place]);
        assert.match(stdout, /^STATE.*\nlive .*\nNo earlier release is kept: publish with --keep/);
        await publish(["site", "--to", place, "--keep", "3"]);
        const kept = await run(process.execPath, [bin, "releases", place]);
        assert.match(
            kept.stdout,
            /^STATE.*\nlive .*\nThere is no earlier release yet: the next publish keeps the live/,
        );
    });

    it("with --dry-run, only lists the files that it would write and remove", async () => {
        const place = ["--to", `file://${folder}/served`, "--grace-seconds", "0"];
        await publish(["site", ...place]);
        await rm(join(folder, "site/guide"), { recursive: true });
        await writeFile(join(folder, "site/404.html"), "gone");
        const { stdout } = await publish(["site", ...place, "--dry-run"]);
        const lines = [
            "write     404.html",
            "remove    guide/intro.html",
            "dry run   would write 1 and remove 1 of 2 files",
        ];
        assert.equal(stdout, `${lines.join("\n")}\n`);
        assert.equal(await readFile(join(folder, "served/404.html"), "utf8"), "nothing here");
    });

    it("says until when an unused file stays, and clean removes it then, or now with --grace-seconds 0", async () => {
        const place = `file://${folder}/served`;
        await publish(["site", "--to", place]);
        await rm(join(folder, "site/guide"), { recursive: true });
        const { stdout } = await publish(["site", "--to", place]);
        assert.match(
            stdout,
            new RegExp(
                "^later {5}unused files stay until 2\\S+Z; the next publish after that removes them, or:\n" +
                    ` {10}static-export clean ${place}/$`,
                "m",
            ),
        );
        const clean = (...args: string[]) => new Command(["clean", place, ...args], { cwd: folder }).exited;
        assert.match((await clean()).stdout, /^removed {3}file:\S+: 0 files\nlater {5}unused files stay until/);
        const planned = await clean("--grace-seconds", "0", "--dry-run");
        assert.equal(planned.stdout, "remove    guide/intro.html\ndry run   would remove 1 file\n");
        assert.match((await clean("--grace-seconds", "0")).stdout, /^removed {3}file:\S+: 1 file$/m);
        assert.deepEqual((await readdir(join(folder, "served"))).sort(), [".static-export", "404.html", "index.html"]);
    });

    it("replaces neither files that it did not write nor another site, unless --adopt says so", async () => {
        const place = ["--to", `file://${folder}/served`];
        await writeFile(join(folder, "served/index.html"), "somebody else's");
        const foreign = await publish(["site", ...place]);
        assert.equal(foreign.exitCode, 1);
        assert.match(foreign.stderr, /is not empty, .*"index.html".* replace 1\. .*adopt this one \(--adopt/);
        assert.equal(await readFile(join(folder, "served/index.html"), "utf8"), "somebody else's");
        assert.equal((await publish(["site", ...place, "--adopt"])).exitCode, 0);
        await writeFiles(folder, { "blog/index.html": "blog", "blog/first-post.html": "a post" });
        const other = await publish(["blog", ...place]);
        assert.match(other.stderr, /has another site: none of its pages, such as "guide\/intro.html", is a page of/);
        assert.equal(await readFile(join(folder, "served/index.html"), "utf8"), "<h1>Home</h1>");
        assert.equal((await publish(["blog", ...place, "--adopt"])).exitCode, 0);
        assert.equal(await readFile(join(folder, "served/index.html"), "utf8"), "blog");
    });

    it("exits with 2 for an unknown CDN", async () => {
        for (const [args, message] of [
            [
                ["--purge-cloudfront", "E1", "--purge-webhook", "https://cdn.example.com"],
                /Pass one of --purge-cloudfront/,
            ],
            [
                ["--purge-cloudflare", "0".repeat(32)],
                /--purge-cloudflare and --purge-host \([^)]*\) must be used together/,
            ],
            [["--purge-cloudflare", "zone"], /Use the id of a zone/],
            [["--purge-webhook", "cdn.example.com"], /Use a URL that begins/],
        ] as const) {
            const { exitCode, stderr } = await publish(["site", "--to", "file://served", ...args]);
            assert.equal(exitCode, 2);
            assert.match(stderr, message);
        }
        assert.deepEqual(await readdir(join(folder, "served")), []);
    });

    it("rejects private pages, unless --access states that the host decides who may read them", async () => {
        const access = '{\n  "formatVersion": 1,\n  "files": {\n    "guide/intro.html": ["staff"]\n  }\n}\n';
        await writeFile(join(folder, "site/access.json"), access);
        const place = ["--to", `file://${folder}/served`];
        const open = await publish(["site", ...place]);
        assert.equal(open.exitCode, 1);
        assert.match(open.stderr, /Not everybody may read 1 file of/);
        const single = await publish(["site", ...place, "--access", "edge"]);
        assert.equal(single.exitCode, 2);
        assert.match(single.stderr, /^error: --access "edge" needs switching "releases", because /);
        const edge = await publish(["site", ...place, "--access", "edge", "--switching", "releases", "--json"]);
        const { access: where } = JSON.parse(edge.stdout) as { access: string };
        assert.equal(await readFile(join(folder, "served", where), "utf8"), access);
    });

    it("exits with 2 if the target folder is in the site, which would then contain its own copy", async () => {
        await mkdir(join(folder, "site/www"));
        for (const place of ["file://site", "file://site/www"]) {
            const { exitCode, stderr } = await publish(["site", "--to", place]);
            assert.equal(exitCode, 2);
            assert.match(stderr, /is a part of the site: publish to a folder outside of the site\./);
        }
        assert.deepEqual((await readdir(join(folder, "site"))).sort(), ["404.html", "guide", "index.html", "www"]);
    });

    it("exits with 2 for an invalid target, and with 1 for a target that belongs to another owner", async () => {
        const wrong = await publish(["site", "--to", "ftp://host/docs"]);
        assert.deepEqual([wrong.exitCode, wrong.stderr.split(":", 1)[0]], [2, "error"]);
        assert.match(wrong.stderr, /"ftp:\/\/host\/docs" is not a place for a site: pass s3:\/\/BUCKET\/PREFIX, az:/);
        assert.equal((await publish(["site", "--to", "file://missing"])).exitCode, 2);
        assert.equal((await publish(["site", "--to", "file://served", "--owner", "a\nb"])).exitCode, 2);
        await mkdir(join(folder, "shared"));
        await publish(["site", "--to", "file://shared", "--owner", "team-a"]);
        const other = await publish(["site", "--to", "file://shared", "--owner", "team-b"]);
        assert.equal(other.exitCode, 1);
        assert.match(other.stderr, /belongs to "team-a", but this run publishes for "team-b"/);
    });
});
