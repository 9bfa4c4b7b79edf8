import assert from "node:assert/strict";
import { adminApiKey, domain, Platform } from "../../e2e/support/platform.js";
import { json, withServer } from "../../sdk/support/http-server.js";
import { run, withFolder } from "../support/command.js";

interface Finding {
    check: string;
    status: string;
    found: string;
    fix?: string;
}

/** Returns doctor's finding about updates, or undefined if there is none. */
async function updateFinding(baseUrl: string, ...args: string[]): Promise<Finding | undefined> {
    let findings: Finding[] = [];
    await withFolder(async (folder) => {
        const env = { STATIC_EXPORT_BASE_URL: baseUrl, STATIC_EXPORT_ADMIN_API_KEY: adminApiKey };
        const { stdout, stderr } = await run(folder, ["doctor", "--json", ...args], env);
        assert.ok(!(stdout + stderr).includes(adminApiKey), "the key was printed");
        findings = JSON.parse(stdout) as Finding[];
    });
    return findings.find(({ check }) => check === "update");
}

describe("static-export doctor --project", function () {
    this.timeout(60_000);

    it("reports whether the key may update the project, without starting an update", async () => {
        const platform = await Platform.start();
        try {
            const { url } = platform.service;
            assert.deepEqual(await updateFinding(url, "--project", domain), {
                check: "update",
                status: "ok",
                found: `the key may update project ${domain}; nothing was started`,
            });
            const unknown = await updateFinding(url, "--project", "blog");
            assert.equal(unknown?.status, "error");
            assert.match(unknown.found, /no project blog.*The key can update: docs\.example\.com/);
            assert.equal(await updateFinding(url), undefined);
            assert.deepEqual([platform.count("start"), platform.count("update")], [0, 0]);
        } finally {
            await platform.stop();
        }
    });

    it("reports the scopes of the key if it lacks the scope for updates", async () => {
        const replies = [
            json(404, { error: "There is no static export job static-export-doctor." }),
            json(403, { error: "Admin API key ci has the scopes export, but this request needs update." }),
        ];
        await withServer(replies, async ({ baseUrl }) => {
            const finding = await updateFinding(baseUrl, "--project", "docs");
            assert.equal(finding?.status, "error");
            assert.match(finding.found, /may not update project docs \(403\): .*this request needs update/);
            assert.match(finding.fix ?? "", /scope for documentation updates/);
        });
    });
});
