import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkSite } from "../../../cli/src/doctor/check-site.js";
import { writeFiles } from "../../exporter/support/site-fixture.js";

const service = { name: "plausible", title: "P", kind: "analytics", sends: "page views", needsConsent: false };
const facts = {
    ...{ version: 1, domain: "docs.example.com", basePath: "", deployment: "client-hosted" },
    ...{ pages: 3, privatePages: 0, apiServers: ["api.example.com"], aiTools: [], embeds: [] },
    features: { documentationSearch: true, aiAssistant: false, webAnalytics: true, apiPlayground: true },
    services: [{ ...service, hosts: ["plausible.example.com"] }],
};

async function findingsOf(content: string | undefined): Promise<(string | undefined)[][]> {
    const folder = await mkdtemp(join(tmpdir(), "static-export-spec-"));
    try {
        await writeFiles(folder, {
            "index.html": "<h1>Docs</h1>",
            ...(content !== undefined && { "static-export/bundle.json": content }),
        });
        const findings = await checkSite({ cwd: ".", site: folder });
        return findings.map(({ check, status, found }) => [check, status, found.replace(folder, "site")]);
    } finally {
        await rm(folder, { recursive: true });
    }
}

describe("The site check of static-export doctor", () => {
    it("lists the data that the pages send", async () => {
        assert.deepEqual(await findingsOf(JSON.stringify(facts)), [
            ["site", "ok", "sends page views to plausible.example.com"],
            ["site", "ok", "sends requests of Try it to api.example.com"],
        ]);
    });

    it("warns if an air-gapped site sends data, or confirms that it sends none", async () => {
        const airGapped = { ...facts, deployment: "air-gapped", apiServers: [] };
        assert.deepEqual(await findingsOf(JSON.stringify(airGapped)), [
            ["site", "warning", "sends page views to plausible.example.com, but is for an air-gapped deployment"],
        ]);
        assert.deepEqual(await findingsOf(JSON.stringify({ ...airGapped, services: [] })), [
            ["site", "ok", "sends nothing out of its network (air-gapped, 3 pages)"],
        ]);
    });

    it("reports that the data is unknown if another release or program exported the site", async () => {
        const unknown = [
            [
                "site",
                "skipped",
                "site does not say what it contains: an earlier release or another program exported it",
            ],
        ];
        for (const content of [undefined, "{", "[]", JSON.stringify({ ...facts, version: 2 })]) {
            assert.deepEqual(await findingsOf(content), unknown);
        }
    });

    it("prints nothing without --site, and reports a location that is not a site", async () => {
        assert.deepEqual(await checkSite({ cwd: "." }), []);
        const [finding] = await checkSite({ cwd: ".", site: "./no-such-folder" });
        assert.equal(finding?.status, "error");
        assert.match(finding.found, /There is no folder or archive/);
    });
});
