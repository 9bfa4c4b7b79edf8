import assert from "node:assert/strict";
import type { Comparison } from "../../../exporter/src/compare/comparison.js";
import type { EngineEvent } from "../../../cli/src/preview/log/engine-event.js";
import { createCleaner } from "../../../cli/src/report/clean-text.js";
import { renderMarkdown } from "../../../cli/src/report/markdown.js";
import { createReport, type PreviewReport } from "../../../cli/src/preview/preview-report.js";

const types = ["pulumi-nodejs:dynamic/static-export:BucketSite", "static-export:index:BucketSite"] as const;
const start = { page: "/start", title: "Start" };
const noPages: Comparison = {
    ...{ added: [], changed: [], removed: [], deadLinks: [] },
    ...{ becomePrivate: [], becomePublic: [], missingRedirects: [] },
};

/** Returns the report on sites that a preview plans to create or to update. */
function reportOn(type: string, sites: readonly object[], pages?: Comparison, op = "create"): PreviewReport {
    const events = sites.map((inputs, index) => {
        const urn = `urn:pulumi:dev::docs::${type}::docs-${index}`;
        const metadata = {
            op,
            urn,
            type,
            old: op === "create" ? null : { type, urn, inputs: {}, outputs: {} },
            new: { type, urn, inputs, outputs: {} },
        };
        return { sequence: 1, timestamp: 1, resourcePreEvent: { metadata } };
    }) as unknown as EngineEvent[];
    const summary = { sequence: 2, timestamp: 1, summaryEvent: { result: "succeeded" } } as unknown as EngineEvent;
    return createReport({ events: [...events, summary], isCut: false }, { pages });
}

/** Returns the notes about sites that a preview plans to create. */
function notesOn(type: string, sites: readonly object[], pages?: Comparison): (string | undefined)[] {
    const { others } = reportOn(type, sites, pages);
    return others.map(({ note }) => note?.map((part) => (typeof part === "string" ? part : part.code)).join(""));
}

describe("The preview report with a BucketSite", () => {
    const rejected = "a bundle with private pages is rejected, because everybody can read every file there";

    for (const type of types) {
        it(`names the host, and states that private pages are rejected: ${type}`, () => {
            const inBucket = notesOn(type, [{ jobId: "se_1", bucket: "docs", prefix: "site/" }]);
            assert.deepEqual(inBucket, [`all files are sent to s3://docs/site/; ${rejected}`]);
            const inContainer = notesOn(type, [{ jobId: "se_1", container: "$web", prefix: "site/" }]);
            assert.deepEqual(inContainer, [`all files are sent to az://$web/site/; ${rejected}`]);
            const inFolder = notesOn(type, [{ jobId: "se_1", folder: "/srv/docs" }]);
            assert.deepEqual(inFolder, [`all files are sent to /srv/docs; ${rejected}`]);
        });
    }

    it("states that the host decides who may read which file, if the program sets access", () => {
        const [note] = notesOn(types[0], [{ jobId: "se_1", bucket: "docs", access: "edge" }]);
        assert.equal(note, "all files are sent to s3://docs/; its host separates readers by access.json");
    });

    it("puts a first publication into the verdict and above the collapsed parts", () => {
        const text = renderMarkdown(reportOn(types[0], [{ jobId: "se_1", bucket: "docs" }]), createCleaner([]));
        assert.match(text, /^### \S+ 1 site is published in a new place$/m);
        assert.match(text, /^#### Sites\n\n.*\n.*\n\| `docs-0` \| \*\*published for the first time\*\* \| all files/m);
        assert.doesNotMatch(text, /<details>/);
    });

    it("puts another publication at the same place above the collapsed parts, too", () => {
        const text = renderMarkdown(reportOn(types[0], [{ bucket: "docs" }], undefined, "update"), createCleaner([]));
        assert.match(text, /^### \S+ 1 site is published again$/m);
        assert.match(text, /^\| `docs-0` \| published again \| what differs is sent to/m);
    });

    it("counts each changed page once", () => {
        const pages = { ...noPages, changed: [start], becomePrivate: [start] };
        const [one] = notesOn(types[0], [{ bucket: "docs" }], pages);
        assert.equal(one, `all files are sent to s3://docs/, where 1 page changes; ${rejected}`);
        const [none] = notesOn(types[0], [{ bucket: "docs" }], noPages);
        assert.match(none ?? "", /, where 0 pages change; /);
    });

    it("counts no changed pages if the stack has several sites, because the comparison covers only one site", () => {
        for (const note of notesOn(types[0], [{ bucket: "docs" }, { bucket: "other" }], noPages)) {
            assert.doesNotMatch(note ?? "", /pages? change/);
        }
    });
});
