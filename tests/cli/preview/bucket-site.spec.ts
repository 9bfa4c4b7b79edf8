import assert from "node:assert/strict";
import type { Comparison } from "../../../exporter/src/compare/comparison.js";
import type { EngineEvent } from "../../../cli/src/preview/log/engine-event.js";
import { createReport } from "../../../cli/src/preview/preview-report.js";

const types = ["pulumi-nodejs:dynamic/static-export:BucketSite", "static-export:index:BucketSite"] as const;
const start = { page: "/start", title: "Start" };
const noPages: Comparison = {
    ...{ added: [], changed: [], removed: [], deadLinks: [] },
    ...{ becomePrivate: [], becomePublic: [], missingRedirects: [] },
};

/** Returns the notes about sites that a preview plans to create. */
function notesOn(type: string, sites: readonly object[], pages?: Comparison): (string | undefined)[] {
    const events = sites.map((inputs, index) => {
        const urn = `urn:pulumi:dev::docs::${type}::docs-${index}`;
        const metadata = { op: "create", urn, type, old: null, new: { type, urn, inputs, outputs: {} } };
        return { sequence: 1, timestamp: 1, resourcePreEvent: { metadata } };
    }) as unknown as EngineEvent[];
    const { others } = createReport({ events, isCut: false }, { pages });
    return others.map(({ note }) => note?.map((part) => (typeof part === "string" ? part : part.code)).join(""));
}

describe("The preview report with a BucketSite", () => {
    const rejected = "a bundle with private pages is rejected, because everybody can read every file there";

    for (const type of types) {
        it(`names the host, and states that private pages are rejected: ${type}`, () => {
            const inBucket = notesOn(type, [{ jobId: "se_1", bucket: "docs", prefix: "site/" }]);
            assert.deepEqual(inBucket, [`what differs is sent to s3://docs/site/; ${rejected}`]);
            const inContainer = notesOn(type, [{ jobId: "se_1", container: "$web", prefix: "site/" }]);
            assert.deepEqual(inContainer, [`what differs is sent to az://$web/site/; ${rejected}`]);
            const inFolder = notesOn(type, [{ jobId: "se_1", folder: "/srv/docs" }]);
            assert.deepEqual(inFolder, [`what differs is sent to /srv/docs; ${rejected}`]);
        });
    }

    it("states that the host decides who may read which file, if the program sets access", () => {
        const [note] = notesOn(types[0], [{ jobId: "se_1", bucket: "docs", access: "edge" }]);
        assert.equal(note, "what differs is sent to s3://docs/; its host separates readers by access.json");
    });

    it("counts each changed page once", () => {
        const pages = { ...noPages, changed: [start], becomePrivate: [start] };
        const [one] = notesOn(types[0], [{ bucket: "docs" }], pages);
        assert.equal(one, `what differs is sent to s3://docs/, where 1 page changes; ${rejected}`);
        const [none] = notesOn(types[0], [{ bucket: "docs" }], noPages);
        assert.match(none ?? "", /, where 0 pages change; /);
    });

    it("counts no changed pages if the stack has several sites, because the comparison covers only one site", () => {
        for (const note of notesOn(types[0], [{ bucket: "docs" }, { bucket: "other" }], noPages)) {
            assert.doesNotMatch(note ?? "", /pages? change/);
        }
    });
});
