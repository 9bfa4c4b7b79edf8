import assert from "node:assert/strict";
import { AdminClient } from "@pulumi-static-export/sdk";
import { importBundle } from "../../../provider/src/static-export-bundle/import-bundle.js";
import type { BundleInputs, BundleState } from "../../../provider/src/static-export-bundle/model.js";
import { LifecycleFixture } from "../support/lifecycle-fixture.js";
import { adminApiKey } from "../support/provider-fixture.js";

const noExport = "does not name an export. Import it as DOMAIN/JOB, such as docs.example.com/se_42.";

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

    it("has the fields of its job, and its domain as the only input", async () => {
        const domain = "six.example.com";
        const { pageCount, exportedAt } = await fixture.create(declared(domain));
        const found = await read(`${domain}/se_1`);
        assert.deepEqual([found?.id, found?.inputs], [domain, { domain }]);
        assert.deepEqual([found?.state["pageCount"], found?.state["exportedAt"]], [pageCount, exportedAt]);
    });

    it("does not exist if the platform does not have its job", async () => {
        assert.equal(await read("seven.example.com/se_1"), undefined);
    });

    it("is refused while its job is running, with the other way to wait for it", async () => {
        fixture.createUnheard(declared("eight.example.com"));
        await fixture.platform.requested("get");
        await assert.rejects(
            read("eight.example.com/se_1"),
            /is running: only a completed one can be imported\. To wait for it, declare the resource with this jobId/,
        );
    });

    it("names its domain in the error of the platform", async () => {
        fixture.platform.faults.get = [{ status: 403 }];
        await assert.rejects(read("nine.example.com/se_1"), /^HttpError: Export job se_1 of nine\.example\.com: /);
        await fixture.create(declared("nine.example.com"));
        fixture.platform.faults.bundle = [{ status: 403 }];
        await assert.rejects(read("nine.example.com/se_1"), /^HttpError: Export job se_1 of nine\.example\.com: /);
    });

    for (const id of [
        "docs.example.com",
        "docs.example.com/",
        "/se_1",
        "docs.example.com/se 1",
        "docs.example.com/se_1/bundle",
        "https://docs.example.com/se_1",
    ]) {
        it(`is refused before a request if the id does not name one: ${id}`, async () => {
            await assert.rejects(read(id), { message: `${id} ${noExport}` });
            assert.deepEqual(fixture.server.requests, []);
        });
    }

    it("is refused with the beginning of an id that is too long to show", async () => {
        await assert.rejects(read("d".repeat(300)), { message: `${"d".repeat(300)} ${noExport}` });
        await assert.rejects(read("d".repeat(301)), { message: `${"d".repeat(300)}… ${noExport}` });
    });

    it("runs a new job when an input changes after the import", async () => {
        const inputs = declared("three.example.com");
        const updated = await fixture.update(await imported("three.example.com"), inputs);
        await fixture.update(updated, { ...inputs, version: "2" });
        assert.equal(fixture.server.count("start"), 1);
    });
});
