import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as pulumi from "@pulumi/pulumi";
import { findReleaseProblem } from "../../../provider/src/documentation-site/find-release-problem.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const site = { chart: "./charts/documentation-site" };
const service = { chart: "./charts/static-export-service" };

describe("findReleaseProblem", () => {
    const find = (plan: object, name = "docs", chart = site, folder = root) =>
        findReleaseProblem(name, { chart, ...plan }, folder);

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
        [
            "docs",
            { values: { nginx: { extraConfig: null, workerProceses: 2 } } },
            /^values\.nginx\.workerProceses is not a value/,
        ],
        ["docs", { namespace: "n".repeat(64) }, /^namespace must have at most 63/],
        ["docs", { values: { replicaCount: "two" } }, /^values\.replicaCount must be integer$/],
        ["docs", { values: { image: { pullPolicy: "Sometimes" } } }, /^values\.image\.pullPolicy must be .*: Always, /],
    ] as const) {
        it(`refuses ${JSON.stringify(plan)} of ${name} before the export`, () => {
            assert.match(find(plan, name) ?? "", says);
        });
    }

    for (const [values, says] of [
        [{ agents: { model: "x" } }, /^values\.agents\.model is not/],
        [{ trustedProxies: ["proxy.example.com"] }, /^values\.trustedProxies\.0 must match pattern/],
        [{ trustedProxies: ["2001:db8::/129"] }, /^values\.trustedProxies\.0 must match pattern/],
        [{ networkPolicy: { ingressFrom: [{ ipBlock: { cidr: "10.0.0.0/64" } }] } }, /\.cidr must match pattern/],
        [{ networkPolicy: { ingressFrom: [{ ipBlock: { cidr: "10.0.0.0" } }] } }, /\.cidr must match pattern/],
    ] as const) {
        it(`refuses ${JSON.stringify(values)} of the service before the export`, () => {
            assert.match(find({ values }, "docs", service) ?? "", says);
        });
    }

    it("accepts every form of a trusted proxy", () => {
        const ipv4 = ["10.0.0.0/8", "192.0.2.1"];
        const ipv6 = ["::", "::1/128", "2001:db8::/32", "1::2:3:4:5:6:7", "::ffff:1.2.3.4"];
        assert.equal(find({ values: { trustedProxies: [...ipv4, ...ipv6] } }, "docs", service), undefined);
    });

    for (const [title, plan] of [
        ["values that Helm completes with the chart's defaults", { values: { image: { tag: "1" } } }],
        ["null, with which Helm removes a default", { values: { resources: null, nginx: { extraConfig: null } } }],
        [
            "Outputs, which may have any value",
            { values: { replicaCount: pulumi.output("two") }, namespace: pulumi.output("D") },
        ],
        [
            "a value that is only partly known",
            { values: { nginx: { extraConfig: pulumi.output("gzip on;"), workerProceses: 2 } } },
        ],
        ["values that are an Output as a whole", { values: pulumi.output({ replicaCount: "two" }) }],
        ["a release without values", {}],
        ["undefined values", { values: { own: undefined } }],
        ["names of one letter and of the maximum length", { releaseName: "d".repeat(53), namespace: "n" }],
        ["a chart of a repository", { chart: { chart: "charts/documentation-site" }, values: { own: 1 } }],
        ["a local chart without a schema", { chart: { chart: "./tests" }, values: { own: 1 } }],
        ["a chart in a registry", { chart: { chart: "oci://example.com/site", version: "1" }, values: { own: 1 } }],
        ["valid names and values", { releaseName: "docs-2", namespace: "docs", values: { replicaCount: 3 } }],
    ] as const) {
        it(`accepts ${title}`, () => {
            assert.equal(find(plan), undefined);
        });
    }

    it("checks the values of a chart in the program's folder, above it, and at any place below it", () => {
        for (const [chart, ...path] of [
            [".", "charts", "documentation-site"],
            ["../documentation-site", "charts", "static-export-service"],
            ["./documentation-site", "charts"],
        ] as const) {
            const problem = find({ values: { own: 1 } }, "docs", { chart }, join(root, ...path));
            assert.equal(problem, "values.own is not a value of the chart");
        }
    });

    it("checks values with a schema that has other keywords and formats", () => {
        const folder = mkdtempSync(join(tmpdir(), "static-export-spec-"));
        try {
            const port = { type: "integer", format: "tcp-port", example: 8080 };
            writeFileSync(join(folder, "values.schema.json"), JSON.stringify({ properties: { port } }));
            const problem = find({ values: { port: "http" } }, "docs", { chart: "." }, folder);
            assert.equal(problem, "values.port must be integer");
        } finally {
            rmSync(folder, { recursive: true });
        }
    });
});
