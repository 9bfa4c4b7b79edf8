import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GitServer } from "../support/git-server.js";
import { domain, withFolder, withServiceOver } from "../support/running-service.js";

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

    const withSites = (build: unknown, use: Parameters<typeof withServiceOver>[2]) =>
        withFolder(async (folder) => {
            const sitesFile = join(folder, "sites");
            await writeFile(sitesFile, JSON.stringify({ [domain]: { source: `git+${server.url}#main`, build } }));
            await withServiceOver(folder, { sites: {}, sitesFile }, use);
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

    it("fails with the reason and the end of the builder's log", async () => {
        await server.commit({ "build.sh": "echo 'no such page' >&2; exit 4" });
        await withSites({ command: "sh build.sh", outputFolder: "out" }, async ({ start, reaches }) => {
            const { error } = await reaches(await start(), "failed");
            assert.equal(error, "The build exited with code 4. Its log ends with: no such page");
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
