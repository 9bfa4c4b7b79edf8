import assert from "node:assert/strict";
import { AdminClient } from "@pulumi-static-export/sdk";
import { importBundle } from "../../../provider/src/static-export-bundle/import-bundle.js";
import type { BundleInputs, BundleState } from "../../../provider/src/static-export-bundle/model.js";
import { LifecycleFixture } from "../support/lifecycle-fixture.js";
import { adminApiKey } from "../support/provider-fixture.js";

describe("an imported export", () => {
    let fixture: LifecycleFixture;
    beforeEach(() => {
        fixture = new LifecycleFixture();
    });
    afterEach(() => fixture.dispose());

    const declared = (domain: string): BundleInputs => ({ domain, version: "1", paths: ["/a"], triggers: ["b"] });

    function read(importId: string) {
        const { server, clock } = fixture;
        const client = new AdminClient({ baseUrl: "https://api.example.com", adminApiKey, fetch: server.fetch, clock });
        return importBundle(client, importId, { clock });
    }

    /** Exports a site in an earlier run, and imports the export. */
    async function imported(domain: string): Promise<BundleState> {
        const { jobId } = await fixture.create(declared(domain));
        fixture.nextRun();
        const found = await read(`${domain}/${jobId}`);
        fixture.server.requests.length = 0;
        return found?.state as unknown as BundleState;
    }

    it("adopts the program's inputs in one update without a request", async () => {
        const state = await imported("one.example.com");
        assert.equal(state.version, undefined);
        const inputs = declared("one.example.com");
        assert.equal(await fixture.changes(state, inputs), true);
        assert.match(
            fixture.lines.at(-1) ?? "",
            /job se_1 is imported: an update stores the program's inputs and exports/,
        );
        const updated = await fixture.update(state, inputs);
        assert.deepEqual(updated, { ...state, ...inputs });
        assert.equal(await fixture.changes(updated, inputs), false);
        assert.deepEqual(fixture.server.requests, []);
    });

    it("shows no diff if the program declares only the domain", async () => {
        const state = await imported("two.example.com");
        assert.equal(await fixture.changes(state, { domain: "two.example.com" }), false);
    });

    it("has the same link, expiry and clock as the same job if the program adopts it", async () => {
        const { server, clock } = fixture;
        server.linkTtlMs = 7 * 86_400_000;
        server.linkQuery = "&X-Amz-Security-Token=token";
        server.skewMs = 3600_000;
        const domain = "four.example.com";
        const { bundleUrl, expiresAt, linkLifetimeSeconds, clockSkewMs } = await imported(domain);
        // The Date header contains whole seconds.
        const anHourLater = clock.now() + server.skewMs + 3600_000;
        assert.equal(Date.parse(expiresAt ?? ""), anHourLater - (anHourLater % 1000));
        const adopted = await fixture.create({ domain, jobId: "se_1" });
        assert.deepEqual(
            { expiresAt, linkLifetimeSeconds, clockSkewMs },
            {
                expiresAt: adopted.expiresAt,
                linkLifetimeSeconds: adopted.linkLifetimeSeconds,
                clockSkewMs: adopted.clockSkewMs,
            },
        );
        assert.match(bundleUrl ?? "", /^https:/);
    });

    it("is refused if its job has failed since it was completed", async () => {
        await fixture.create(declared("five.example.com"));
        fixture.server.jobs.get("se_1")!.outcome = { failed: "cancelled" };
        await assert.rejects(
            read("five.example.com/se_1"),
            /is failed: only a completed one can be imported\. To export again, declare the resource without importing/,
        );
    });

    it("runs a new job when an input changes after the import", async () => {
        const inputs = declared("three.example.com");
        const updated = await fixture.update(await imported("three.example.com"), inputs);
        await fixture.update(updated, { ...inputs, version: "2" });
        assert.equal(fixture.server.count("start"), 1);
    });
});
