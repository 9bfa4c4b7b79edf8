import assert from "node:assert/strict";
import { findExportSections } from "@pulumi-static-export/contract";
import { findExportSection as findForReport } from "../../cli/src/preview/explain/find-export-section.js";
import { findReleaseSections as findForPack } from "../../policy/src/releases/release-sections.js";

const link = "https://bundles.example.com/se_1.tar.gz";
const served = { enabled: true, bundleUrl: link };
const nested = (depth: number): object => (depth === 1 ? { staticExport: served } : { chart: nested(depth - 1) });

/** The values of a release, whether the values come from an export, and the paths of their sections. */
const cases: [title: string, values: object, comesFromExport: boolean, places: string[]][] = [
    ["a section with a link", { staticExport: served }, false, ["staticExport"]],
    [
        "a section with a link among other keys",
        { staticExport: { bundleUrl: link, cdn: true } },
        false,
        ["staticExport"],
    ],
    ["a section with known keys alone", { staticExport: { enabled: true, version: "1" } }, false, ["staticExport"]],
    ["a section with the digest alone", { staticExport: { sha256: "ab" } }, false, ["staticExport"]],
    ["settings of something else", { staticExport: { enabled: true, outputDir: "out" } }, false, []],
    [
        "such settings of a chart's dependency",
        { web: { staticExport: { enabled: true, outputDir: "out" } } },
        false,
        [],
    ],
    ["an empty section", { staticExport: {} }, false, []],
    ["a flag", { staticExport: true }, true, []],
    ["a list", { staticExport: ["enabled"] }, true, []],
    [
        "other keys of a release that an export feeds",
        { staticExport: { enabled: true, cdn: true } },
        true,
        ["staticExport"],
    ],
    ["a section of a chart's dependency", { docs: { staticExport: served } }, false, ["docs.staticExport"]],
    [
        "sections at two depths, the outer one first",
        { api: { staticExport: served }, staticExport: served },
        false,
        ["staticExport", "api.staticExport"],
    ],
    ["a section at the sixth depth", nested(6), false, ["chart.chart.chart.chart.chart.staticExport"]],
    ["a section at the seventh depth", nested(7), false, []],
    ["no section", { replicaCount: 2 }, true, []],
];

describe("The staticExport sections of a Helm release's values", () => {
    for (const [title, values, comesFromExport, places] of cases) {
        it(`are interpreted the same by the policy pack and the preview report: ${title}`, () => {
            const plain = {
                comesFromExport,
                read: (from: Readonly<Record<string, unknown>>, key: string) => from[key],
            };
            const found = [...findExportSections(values as Record<string, unknown>, plain)];
            assert.deepEqual(
                found.map(({ path }) => path.join(".")),
                places,
            );
            assert.deepEqual(
                findForPack({ values }, { comesFromExport }).map(({ place }) => place),
                places.map((place) => `values.${place}`),
            );
            const { place, section } = findForReport(values, comesFromExport);
            assert.equal(place, places[0] ?? "staticExport");
            assert.deepEqual(section, found[0]?.section ?? {});
        });
    }

    it("do not affect the comparison of other values", () => {
        const { rest } = findForReport({ docs: { staticExport: served, theme: "dark" }, replicaCount: 2 }, false);
        assert.deepEqual(rest, { docs: { theme: "dark" }, replicaCount: 2 });
        const settings = { staticExport: { enabled: true, outputDir: "out" } };
        assert.deepEqual(findForReport(settings, false).rest, settings);
        assert.deepEqual(findForReport({ staticExport: {}, replicaCount: 2 }, false).rest, { replicaCount: 2 });
    });
});
