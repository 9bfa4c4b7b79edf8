import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { waitUntil } from "../../wait-until.js";
import { Command, type Outcome } from "../support/command.js";

describe("static-export build", function () {
    // The spec starts an export process.
    this.timeout(60_000);
    let folder: string;
    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-spec-"));
        await mkdir(join(folder, "docs"));
        await mkdir(join(folder, "tmp"));
        await writeFile(join(folder, "docs", "index.md"), "# Welcome\n\nThe first page.\n");
        await symlink("docs", join(folder, "back"));
    });
    afterEach(async () => rm(folder, { recursive: true, force: true }));

    const command = (...args: string[]) =>
        new Command(["build", ...args], { cwd: folder, env: { TMPDIR: join(folder, "tmp") } });
    const build = async (...args: string[]): Promise<Outcome> => {
        const outcome = await command(...args).exited;
        assert.deepEqual(await readdir(join(folder, "tmp")), [], "something was left in the temporary folder");
        return outcome;
    };
    const addDeadLink = () => writeFile(join(folder, "docs", "broken.md"), "# Broken\n\n[Nowhere](/no-such-page)\n");

    it("exports one folder into another, without settings or a service", async () => {
        const { exitCode, stdout, stderr } = await build("docs", "--output", "site");
        assert.equal(exitCode, 0, stderr);
        assert.match(await readFile(join(folder, "site", "index.html"), "utf8"), /The first page/);
        assert.match(stdout, /^pages +1$/m);
        assert.match(stdout, /^folder +site$/m);
    });

    it("names no address without a domain, and the domain's addresses with one", async () => {
        const addressesIn = async (...args: string[]) => {
            await build("docs", "--output", "site", ...args);
            const texts = ["index.html", "robots.txt", "llms.txt", "llms-full.txt"].map((file) =>
                readFile(join(folder, "site", file), "utf8"),
            );
            const found = (await Promise.all(texts))
                .join("\n")
                .match(/https?:\/\/(?:localhost|docs\.example\.com)\S*/g);
            const hosts = [...new Set(found?.map((url) => new URL(url).host))];
            return { hosts, files: await readdir(join(folder, "site")) };
        };
        const without = await addressesIn();
        assert.deepEqual([without.hosts, without.files.includes("sitemap.xml")], [[], false]);
        const named = await addressesIn("--domain", "docs.example.com");
        assert.deepEqual([named.hosts, named.files.includes("sitemap.xml")], [["docs.example.com"], true]);
    });

    it("packs the site as a reproducible zip archive that unpacks into one folder", async () => {
        await mkdir(join(folder, "docs", "guides"));
        await writeFile(join(folder, "docs", "guides", "start.md"), "# Start\n\n[home](/)\n");
        const { exitCode, stdout, stderr } = await build("docs", "--zip", "docs.zip", "--output", "site");
        assert.equal(exitCode, 0, stderr);
        assert.match(stdout, /^folder +site\nzip +docs\.zip$/m);
        const archive = await readFile(join(folder, "docs.zip"));
        const unpacked = unzipSync(archive);
        for (const file of ["index.html", "guides/start.html"]) {
            const content = unpacked[`docs/${file}`] ?? new Uint8Array();
            assert.deepEqual(Buffer.from(content), await readFile(join(folder, "site", file)), file);
        }
        assert.ok(Object.keys(unpacked).every((name) => name.startsWith("docs/")));
        await mkdir(join(folder, "again"));
        await build("docs", "--zip", "again/docs.zip");
        assert.deepEqual(await readFile(join(folder, "again", "docs.zip")), archive);
        assert.deepEqual(await readdir(join(folder, "again")), ["docs.zip"]);
    });

    it("refuses to overwrite a zip archive, or to write an archive that the next export would publish", async () => {
        await writeFile(join(folder, "docs.zip"), "");
        for (const [zip, reason] of [
            ["docs.zip", "docs.zip exists"],
            ["docs/a.zip", "docs/a.zip is inside docs"],
            ["back/a.zip", "back/a.zip is inside docs"],
        ] as const) {
            const { exitCode, stderr } = await build("docs", "--zip", zip);
            assert.equal(exitCode, 2);
            assert.ok(stderr.includes(reason), stderr);
        }
        assert.equal((await readFile(join(folder, "docs.zip"))).length, 0);
    });

    it("refuses a zip archive with restricted pages, because anybody could open the archive", async () => {
        const { exitCode, stderr } = await build("docs", "--zip", "new.zip", "--access");
        assert.equal(exitCode, 2);
        assert.match(stderr, /--publish-groups/);
    });

    it("without --output, only checks the pages, and lists mistakes with file and line", async () => {
        await addDeadLink();
        const { exitCode, stdout } = await build("docs");
        assert.equal(exitCode, 0);
        assert.match(stdout, /^warning: link: broken\.md:3: .*no-such-page/m);
        assert.deepEqual((await readdir(folder)).sort(), ["back", "docs", "tmp"]);
    });

    it("fails with --strict only if there are warnings", async () => {
        assert.equal((await build("docs", "--strict")).exitCode, 0);
        await addDeadLink();
        await writeFile(join(folder, "docs", "other.md"), "# Other\n\n[Nowhere](/nor-here)\n");
        const { exitCode, stdout, stderr } = await build("docs", "--strict");
        assert.equal(exitCode, 1);
        assert.match(stdout, /^warning: link: broken\.md:3: .*\nwarning: link: other\.md:3: /m);
        assert.match(stderr, /^error: broken\.md:3: /m);
    });

    it("leaves out private pages with a warning, and exports them with --access or --publish-groups", async () => {
        await writeFile(join(folder, "docs", "secret.md"), "---\ngroups: [admin]\n---\n");
        const { stdout } = await build("docs", "--output", "site");
        assert.match(stdout, /^warning: access: secret\.md:2: groups: .* left out\. Use --access /m);
        assert.ok(!(await readdir(join(folder, "site"))).includes("secret.html"));
        await build("docs", "--output", "apart", "--access");
        assert.match(
            await readFile(join(folder, "apart", "access.json"), "utf8"),
            /^ {4}"secret.html": \["admin"\],$/m,
        );
        await build("docs", "--output", "all", "--publish-groups");
        assert.ok((await readdir(join(folder, "all"))).includes("secret.html"));
    });

    it("never replaces a page or another file by the list of warnings, but replaces an earlier list", async () => {
        await build("docs", "--warnings", "list.jsonl");
        assert.equal((await build("docs", "--warnings", "list.jsonl")).exitCode, 0);
        await writeFile(join(folder, "notes.txt"), "mine");
        const refused = await build("docs", "--warnings", "notes.txt");
        assert.match(
            refused.stderr,
            /^error: notes\.txt exists, and is not a list of warnings: choose another --warnings\./,
        );
        assert.equal(await readFile(join(folder, "notes.txt"), "utf8"), "mine");
        assert.match(
            (await build("docs", "--warnings", "docs/new.jsonl")).stderr,
            /^error: docs\/new\.jsonl is inside docs, /,
        );
    });

    it("writes all warnings to a file, even if it fails because of the warnings", async () => {
        const lines = Array.from({ length: 150 }, (_, n) => `[${n}](/gone-${n})`);
        await writeFile(join(folder, "docs", "broken.md"), lines.join("\n"));
        assert.equal((await build("docs", "--strict", "--warnings", "all.jsonl")).exitCode, 1);
        const written = (await readFile(join(folder, "all.jsonl"), "utf8")).trimEnd().split("\n");
        assert.equal(written.length, 150);
        assert.deepEqual(JSON.parse(written[149] ?? ""), {
            kind: "link",
            file: "broken.md",
            line: 150,
            reason: "the link /gone-149 leads to no page and no file of this site",
        });
        await rm(join(folder, "docs", "broken.md"));
        await build("docs", "--warnings", "all.jsonl");
        assert.equal(await readFile(join(folder, "all.jsonl"), "utf8"), "");
    });

    it("accepts a domain, a version and a list of pages", async () => {
        await writeFile(join(folder, "docs", "other.md"), "# Other\n");
        const args = [
            "--domain",
            "docs.example.com",
            "--version",
            "2026-11",
            "--path",
            "/other",
            "-o",
            "site",
            "--json",
        ];
        const { exitCode, stdout, stderr } = await build("docs", ...args);
        assert.equal(exitCode, 0, stderr);
        assert.deepEqual(
            { ...(JSON.parse(stdout) as object), warnings: undefined },
            { status: "completed", pageCount: 1, folder: "site", warnings: undefined },
        );
        const page = await readFile(join(folder, "site", "other.html"), "utf8");
        assert.match(page, /https:\/\/docs\.example\.com\/other/);
        const label = await readFile(join(folder, "site", "static-export", "version.json"), "utf8");
        assert.match(label, /2026-11/);
    });

    it("accepts only a path as the site's base path", async () => {
        assert.equal((await build("docs", "--base-path", "/help", "-o", "site")).exitCode, 0);
        assert.match(await readFile(join(folder, "site", "help", "index.html"), "utf8"), /The first page/);
        const { exitCode, stderr } = await build("docs", "--base-path", "/../help");
        assert.equal(exitCode, 2);
        assert.match(stderr, /^error: .*--base-path.* Use a path such as \/docs/m);
    });

    it("reports the position of a syntax error in the settings, and creates no folder", async () => {
        await writeFile(join(folder, "docs", "docs.json"), "{\n  name\n}\n");
        const { exitCode, stderr } = await build("docs", "--output", "site");
        assert.equal(exitCode, 1);
        assert.match(stderr, /^error: docs\.json:2/m);
        assert.deepEqual((await readdir(folder)).sort(), ["back", "docs", "tmp"]);
    });

    it("leaves no files behind after Ctrl-C", async () => {
        await writeFile(join(folder, "docs", "index.md"), "# Page\n\n".repeat(100_000));
        const running = command("docs", "--output", "site");
        await waitUntil(
            "the temporary folder of the build",
            async () => (await readdir(join(folder, "tmp"))).length > 0,
        );
        running.signal("SIGINT");
        const { exitCode, stderr } = await running.exited;
        assert.equal(exitCode, 130);
        assert.match(stderr, /^error: Interrupted\.$/m);
        assert.deepEqual((await readdir(folder)).sort(), ["back", "docs", "tmp"]);
        assert.deepEqual(await readdir(join(folder, "tmp")), []);
    });

    describe("exits with 2", () => {
        beforeEach(() => symlink("nowhere", join(folder, "dangling")));

        for (const [what, args, message] of [
            [
                "for an output that leads back into it",
                ["docs", "-o", "back/site"],
                /^error: back\/site is inside docs, /,
            ],
            [
                "for an output that contains it",
                ["docs", "-o", "tmp/..", "--force"],
                /^error: tmp\/\.\. contains .*docs: /,
            ],
            [
                "for an output without a name",
                ["docs", "-o", ""],
                /^error: --output must name a folder, but is an empty string\.$/m,
            ],
            ["for an output that is a link", ["docs", "-o", "back"], /^error: back is a link: name the folder/m],
            ["for an output that is a link to nothing", ["docs", "-o", "dangling"], /^error: dangling is a link: /m],
            ["for an unknown deployment", ["docs", "--deployment", "moon"], /Allowed choices are cloud/],
        ] as const) {
            it(what, async () => {
                const { exitCode, stderr } = await build(...args);
                assert.equal(exitCode, 2, stderr);
                assert.match(stderr, message);
            });
        }
    });
});
