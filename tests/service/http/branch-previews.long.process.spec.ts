import assert from "node:assert/strict";
import { type ServiceOptions } from "@pulumi-static-export/service";
import { GitServer } from "../support/git-server.js";
import { domain, type RunningService, withService } from "../support/running-service.js";
import { copyingExporter } from "../support/scripted-exporter.js";
import { exportNow, updateEnd } from "../support/start-update.js";

const previewOf = (branch: string) => ({ json: { branch } });

async function preview(running: RunningService, branch: string) {
    const { status, body, text } = await running.request("POST", `/v1/project/preview/${domain}`, previewOf(branch));
    assert.equal(status, 202, text);
    const update = await updateEnd(running, String(body["statusId"]));
    return { previewUrl: String(body["previewUrl"]), update };
}

describe("A preview of a branch", () => {
    let server: GitServer;
    let options: Partial<ServiceOptions>;
    beforeEach(async () => {
        server = await GitServer.start();
        options = {
            sites: { [domain]: `git+${server.url}#main` },
            previewDomains: { [domain]: "previews.example.com" },
            exporter: copyingExporter,
        };
        await server.commit({ "index.md": "# Main\n" });
        await server.git("checkout", "--quiet", "-b", "draft");
    });
    afterEach(() => server.stop());

    it("is exported under its own domain without changing the export of the site", async () => {
        const commit = await server.commit({ "index.md": "# Draft\n" });
        await withService(options, async (running) => {
            const { previewUrl, update } = await preview(running, "draft");
            assert.equal(previewUrl, "https://draft.previews.example.com/");
            assert.equal(update["status"], "success");
            assert.deepEqual(update["commit"], { sha: commit, ref: "draft", message: "Change" });
            assert.equal((await exportNow(running, new URL(previewUrl).hostname)).text, "# Draft\n");
            assert.equal((await exportNow(running, domain)).text, "# Main\n");
        });
    });

    it("has an address with the base path of its site", async () => {
        const sites = { [`${domain}/help`]: `git+${server.url}#main` };
        await withService({ ...options, sites }, async ({ request }) => {
            const { body } = await request("POST", `/v1/project/preview/${domain}`, previewOf("draft"));
            assert.equal(body["previewUrl"], "https://draft.previews.example.com/help/");
        });
    });

    it("shows the previewed commit until the branch is previewed again", async () => {
        await server.commit({ "index.md": "# First\n" });
        await withService(options, async (running) => {
            const { previewUrl } = await preview(running, "draft");
            const { hostname } = new URL(previewUrl);
            await server.commit({ "index.md": "# Second\n" });
            assert.equal((await exportNow(running, hostname)).text, "# First\n");
            await preview(running, "draft");
            assert.equal((await exportNow(running, hostname)).text, "# Second\n");
        });
    });

    it("fails if the branch does not exist, after which exports of its domain are refused", async () => {
        await withService(options, async (running) => {
            const { previewUrl, update } = await preview(running, "gone");
            assert.equal(update["status"], "failure");
            assert.match(String(update["summary"]), /^Branch gone of .* could not be fetched/);
            const json = { domain: new URL(previewUrl).hostname };
            const { status, body } = await running.request("POST", "/v1/static-export/jobs", { json });
            assert.equal(status, 403);
            assert.match(
                String(body["error"]),
                /^No preview of a branch of docs\.example\.com has succeeded for gone\./,
            );
        });
    });

    it("is refused for an invalid branch name", async () => {
        await withService(options, async ({ request }) => {
            for (const branch of [
                "",
                "..",
                "a..b",
                "a b",
                "-f",
                "/a",
                "a/",
                "a//b",
                "a/.b",
                ".a",
                "a.",
                "a.lock",
                "@",
                "a@{b",
                "a~1",
                "a\\b",
            ]) {
                const { status } = await request("POST", `/v1/project/preview/${domain}`, previewOf(branch));
                assert.equal(status, 400, branch);
            }
        });
    });

    it("is refused if the site has no preview domain, and the error names the option that sets it", async () => {
        await withService({ ...options, previewDomains: {} }, async ({ request }) => {
            const { status, body } = await request("POST", `/v1/project/preview/${domain}`, previewOf("draft"));
            assert.equal(status, 403);
            assert.match(
                String(body["error"]),
                /serves no previews of docs\.example\.com: start it with --preview-domain/,
            );
            const json = { domain: "draft.previews.example.com" };
            assert.equal((await request("POST", "/v1/static-export/jobs", { json })).status, 403);
        });
    });
});
