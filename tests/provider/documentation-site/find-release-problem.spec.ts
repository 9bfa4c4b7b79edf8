import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import * as pulumi from "@pulumi/pulumi";
import { findReleaseProblem } from "../../../provider/src/documentation-site/find-release-problem.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const site = { chart: "./charts/documentation-site" };

describe("findReleaseProblem", () => {
    const find = (plan: object, name = "docs", chart = site) => findReleaseProblem(name, { chart, ...plan }, root);

    for (const [name, plan, says] of [
        [
            "myDocs",
            {},
            /^the component's name, which is also that of the release, must have .* "myDocs"\. Set releaseName$/,
        ],
        ["docs", { releaseName: "docs_site" }, /^releaseName must have at most 53 .*, got "docs_site"$/],
        ["docs", { releaseName: "d".repeat(54) }, /^releaseName must have at most 53/],
        ["docs", { namespace: "Docs" }, /^namespace must have at most 63 .*, got "Docs"$/],
        ["docs", { values: { replicaCont: 2 } }, /^values\.replicaCont is not a value of the chart$/],
        ["docs", { values: { nginx: { workerProceses: 2 } } }, /^values\.nginx\.workerProceses is not a value/],
        ["docs", { values: { replicaCount: "two" } }, /^values\.replicaCount must be integer$/],
        ["docs", { values: { image: { pullPolicy: "Sometimes" } } }, /^values\.image\.pullPolicy must be .*: Always, /],
    ] as const) {
        it(`refuses ${JSON.stringify(plan)} of ${name} before the export`, () => {
            assert.match(find(plan, name) ?? "", says);
        });
    }

    it("checks the values of the service, too", () => {
        const chart = { chart: "./charts/static-export-service" };
        assert.match(
            find({ values: { agents: { model: "x" } } }, "docs", chart) ?? "",
            /^values\.agents\.model is not/,
        );
    });

    for (const [title, plan] of [
        ["values that Helm completes with the chart's defaults", { values: { image: { tag: "1" } } }],
        ["null, with which Helm removes a default", { values: { resources: null, nginx: { extraConfig: null } } }],
        [
            "Outputs, which may have any value",
            { values: { replicaCount: pulumi.output("two") }, namespace: pulumi.output("D") },
        ],
        ["a chart in a registry", { chart: { chart: "oci://example.com/site", version: "1" }, values: { own: 1 } }],
        ["valid names and values", { releaseName: "docs-2", namespace: "docs", values: { replicaCount: 3 } }],
    ] as const) {
        it(`accepts ${title}`, () => {
            assert.equal(find(plan), undefined);
        });
    }
});
