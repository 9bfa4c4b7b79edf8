import assert from "node:assert/strict";
import { GitServer } from "../support/git-server.js";
import { adminApiKey, domain } from "../support/running-service.js";
import { startUpdate, updateEnd } from "../support/start-update.js";
import { page, signIn, withDashboard } from "./support/viewer.js";

describe("The dashboard's page of a documentation update", () => {
    it("shows its commit, the changed paths, its log and what started it", async () => {
        const git = await GitServer.start();
        try {
            const options = { sites: { [domain]: `git+${git.url}#main` } };
            await withDashboard(async (running) => {
                await git.commit({ "index.md": "# Welcome\n", "old.md": "# Old\n" });
                await updateEnd(running, await startUpdate(running));
                const commit = await git.commit({ "index.md": "# Hello\n", "<b>new.md": "# New\n" });
                const id = await startUpdate(running);
                await updateEnd(running, id);
                const { text } = await (await signIn(running, adminApiKey)).get(`${page}/jobs/${id}`);
                for (const shown of [commit, "modified index.md", "added &lt;b>new.md", "Author", "the service"]) {
                    assert.ok(text.includes(shown), `${shown} is missing: ${text}`);
                }
                assert.match(text, /<h2>Log[^]*<pre[^>]*><time [^>]*>\d\d:\d\d:\d\d<\/time> /);
            }, options);
        } finally {
            await git.stop();
        }
    });
});
