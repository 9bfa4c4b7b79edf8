import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { enforcedLimits } from "../../../service/src/processes/run-bounds.js";
import { GitServer } from "../support/git-server.js";
import { domain, withFolder, withServiceOver } from "../support/running-service.js";
import { exportNow, startUpdate, updateEnd } from "../support/start-update.js";

const settings = "build:\n  command: sh build.sh\n  outputFolder: out\n";
const script =
    "set -e; echo Building.; mkdir out; git log --format=%cI > /dev/null\n" +
    `echo '<title>A</title><a href="b.html">b</a>' > out/index.html\n` +
    "echo '<title>B</title>' > out/b.html\n";

describe("A site with a build", function () {
    this.timeout(120_000);
    let server: GitServer;
    beforeEach(async () => {
        server = await GitServer.start();
    });
    afterEach(() => server.stop());

    const withSites = (build: unknown, use: Parameters<typeof withServiceOver>[2], options: object = {}) =>
        withFolder(async (folder) => {
            const sitesFile = join(folder, "sites");
            await writeFile(sitesFile, JSON.stringify({ [domain]: { source: `git+${server.url}#main`, build } }));
            await withServiceOver(folder, { sites: {}, sitesFile, ...options }, use);
        });

    it("is exported as its builder wrote it, and the job's log shows the builder's lines", async () => {
        await server.commit({ ".static-export.yaml": settings, "build.sh": script, "index.md": "# Source" });
        await withSites(true, async ({ start, reaches, request }) => {
            const jobId = await start();
            const job = await reaches(jobId, "completed");
            assert.equal(job["pageCount"], 2);
            const { text } = await request("GET", `/v1/static-export/jobs/${jobId}/details`);
            assert.match(text, /Runs the site's builder\.[^]*Building\.[^]*Exports the pages\./);
        });
    });

    it("stays as it is if its build skips the commit with the exit code 183", async () => {
        const published = await server.commit({ "index.html": "A" });
        const build = { command: "test -f index.html || exit 183; mkdir out; cp index.html out", outputFolder: "out" };
        await withSites(build, async (running) => {
            assert.equal((await updateEnd(running, await startUpdate(running)))["status"], "success");
            await server.git("rm", "--quiet", "index.html");
            await server.commit({ "other.md": "# Other" });
            const { status, summary, commit } = await updateEnd(running, await startUpdate(running));
            const reason = "The build skips this commit (exit code 183): the site stays as it is.";
            assert.deepEqual([status, summary, commit], ["success", reason, undefined]);
            assert.equal((await exportNow(running)).sourceRef, published);
        });
    });

    it("sees its repository as a clone has it: dates of pages, tags, the branch, and a folder .git", async () => {
        const look =
            "mkdir out; { git log -1 --format=%aI -- a.md; git log -1 --format=%an -- b.md; git describe --tags; " +
            "git rev-parse --abbrev-ref HEAD; test -d .git && git worktree add -q -b pages pages && echo writable; " +
            "git commit -q --allow-empty -m Output && echo committed; git config remote.origin.url; } > out/index.html; cat out/index.html\n";
        await server.commit({ "a.md": "# A", "build.sh": look }, "2026-01-02T03:04:05Z");
        await server.git("tag", "v1");
        await server.commit({ "b.md": "# B" });
        const build = { command: "sh -e build.sh", outputFolder: "out" };
        await withSites(build, async ({ start, reaches, request }) => {
            const jobId = await start();
            await reaches(jobId, "completed");
            const { text } = await request("GET", `/v1/static-export/jobs/${jobId}/details`);
            const { log } = JSON.parse(text) as { log: { message: string }[] };
            const lines = log.map(({ message }) => message).join("\n");
            const seen = "2026-01-02T03:04:05\\+00:00\nauthor\nv1-1-g\\w+\nmain\nwritable\ncommitted\n";
            assert.match(lines, new RegExp(`${seen}${server.url}\n`));
        });
    });

    it("knows its address, branch and commit, and gets the operator's values", async () => {
        const commit = await server.commit({ "a.md": "# A" });
        const print = "mkdir out; env | grep -E '^(STATIC_EXPORT_[A-Z]+|HUGO_ENV)=' | sort | tee out/index.html";
        const build = { command: print, outputFolder: "out", variables: { HUGO_ENV: "docs" } };
        await withSites(build, async ({ start, reaches, request }) => {
            const jobId = await start();
            await reaches(jobId, "completed");
            const { text } = await request("GET", `/v1/static-export/jobs/${jobId}/details`);
            const { log } = JSON.parse(text) as { log: { message: string }[] };
            const lines = log.map(({ message }) => message).filter((message) => /^[A-Z_]+=/.test(message));
            assert.deepEqual(lines, [
                ...["HUGO_ENV=docs", "STATIC_EXPORT_BRANCH=main", `STATIC_EXPORT_COMMIT=${commit}`],
                ...["STATIC_EXPORT_PREVIEW=false", `STATIC_EXPORT_URL=https://${domain}/`],
            ]);
        });
    });

    it("says in its log which parts of the repository are missing", async () => {
        await server.commit({ "a.md": "# A", ".gitattributes": "*.png filter=lfs diff=lfs\n" });
        await server.commit({ ".gitmodules": '[submodule "theme"]\n\tpath = themes/book\n\turl = ../theme.git\n' });
        const build = { command: "mkdir out; echo a > out/index.html", outputFolder: "out", historyCommits: 1 };
        await withSites(build, async ({ start, reaches, request }) => {
            const jobId = await start();
            await reaches(jobId, "completed");
            const { text } = await request("GET", `/v1/static-export/jobs/${jobId}/details`);
            assert.match(text, /The history ends after 1 commits/);
            assert.match(text, /Submodules are left out, unless build\.submodules is true: themes\/book/);
            assert.match(text, /Files of Git LFS are left out, unless build\.lfs is true/);
        });
    });

    it("contains the repository's submodules if its settings ask for them", async () => {
        const theme = await GitServer.start();
        try {
            await theme.commit({ "layout.html": "<title>Theme</title>" });
            await server.commit({ "index.md": "# Source" });
            const url = theme.url;
            await server.git("-c", "protocol.allow=always", "submodule", "--quiet", "add", url, "themes/book");
            const file = `${settings.replace("sh build.sh", "mkdir out; cp themes/book/layout.html out/index.html")}  submodules: true\n`;
            await server.commit({ ".static-export.yaml": file });
            const options = { buildsShareNetwork: true };
            await withSites(
                true,
                async ({ start, reaches }) => {
                    assert.equal((await reaches(await start(), "completed"))["pageCount"], 1);
                },
                options,
            );
        } finally {
            await theme.stop();
        }
    });

    it("fails with the reason and the end of the builder's log", async () => {
        await server.commit({ "build.sh": "echo 'no such page' >&2; exit 4" });
        await withSites({ command: "sh build.sh", outputFolder: "out" }, async ({ start, reaches }) => {
            const { error } = await reaches(await start(), "failed");
            assert.equal(error, "The build exited with code 4. Its log ends with: no such page");
        });
    });

    it("is in the service's state with who enforces the limits of builds, also before the first build", async () => {
        await withSites({ command: "true", outputFolder: "out" }, async ({ request }) => {
            const { text } = await request("GET", "/v1/service");
            const { buildLimits } = JSON.parse(text) as { buildLimits: { limit: string; by: string }[] };
            assert.deepEqual(
                buildLimits.map(({ limit }) => limit),
                enforcedLimits({}).map(({ limit }) => limit),
            );
        });
    });

    it("is not built unless the operator allows it", async () => {
        await server.commit({ ".static-export.yaml": settings, "build.sh": script, "index.md": "# Source" });
        await withSites(undefined, async ({ start, reaches, request }) => {
            const jobId = await start();
            assert.equal((await reaches(jobId, "completed"))["pageCount"], 1);
            const { text } = await request("GET", `/v1/static-export/jobs/${jobId}/details`);
            assert.match(text, /names a builder, but the operator's sites file allows no build/);
        });
    });
});
