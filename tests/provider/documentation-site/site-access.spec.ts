import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { unknownValue } from "@pulumi-static-export/contract";
import { parse } from "yaml";
import schema from "../../../plugin/src/schema.json" with { type: "json" };
import { findAccessProblem } from "../../../provider/src/documentation-site/site-access.js";

const valuesFile = new URL("../../../charts/documentation-site/values.yaml", import.meta.url);
const chartValues = parse(readFileSync(valuesFile, "utf8")) as { access: Record<string, object> };

describe("Access settings of a DocumentationSite", () => {
    for (const [way, type] of [
        ["header", schema.types["static-export:index:HeaderAccess"]],
        ["oidc", schema.types["static-export:index:OidcAccess"]],
    ] as const) {
        it(`have the same fields in the chart and in the plugin's schema: ${way}`, () => {
            const access = { [way]: { bogus: "x" } };
            const [, list = ""] =
                /The inputs are (.*)$/.exec(findAccessProblem({ access, takesDigest: true }) ?? "") ?? [];
            assert.deepEqual(list.split(", ").sort(), Object.keys(chartValues.access[way] ?? {}).sort());
            assert.deepEqual(list.split(", ").sort(), Object.keys(type.properties).sort());
        });

        it(`require the fields that the plugin's schema requires: ${way}`, () => {
            const given = Object.fromEntries(type.required.map((name) => [name, "x"]));
            const values = { networkPolicy: { ingressFrom: [{ podSelector: {} }] } };
            const problemOf = (inputs: object) =>
                findAccessProblem({ access: { [way]: inputs }, values, takesDigest: true });
            assert.equal(problemOf(given), undefined);
            for (const name of type.required) {
                for (const missing of [undefined, null, ""]) {
                    assert.equal(problemOf({ ...given, [name]: missing }), `access.${way}.${name} is required`);
                }
            }
        });
    }

    const header = { groups: "X-Forwarded-Groups" };
    for (const [what, plan] of [
        ["of access", { access: { header } }],
        ["of the chart's values", { values: { access: { header } } }],
        [
            "with a policy that lets everybody in",
            { access: { header }, values: { networkPolicy: { ingressFrom: [] } } },
        ],
    ] as const) {
        it(`refuse to trust a request header that anyone can set: ${what}`, () => {
            assert.match(
                findAccessProblem({ ...plan, takesDigest: true }) ?? "",
                /^access\.header trusts a request header.*name it in networkPolicy\.ingressFrom of values/,
            );
        });
    }

    it("need no policy without a trusted header, and mean something else in another chart", () => {
        const oidc = { issuer: "https://id.example.com", clientId: "a", existingSecret: "b", url: "https://c" };
        assert.equal(findAccessProblem({ access: { oidc }, takesDigest: true }), undefined);
        assert.equal(findAccessProblem({ values: { access: { header } }, takesDigest: false }), undefined);
    });

    for (const [what, values] of [
        ["only the proxy reaches the pods", { networkPolicy: { ingressFrom: [{ podSelector: {} }] } }],
        ["something else keeps everybody away", { networkPolicy: { enabled: false } }],
        ["who reaches the pods is an output", { networkPolicy: { ingressFrom: pulumi.output([]) } }],
        ["the values are not known yet", unknownValue],
    ] as const) {
        it(`trust a request header if ${what}`, () => {
            assert.equal(findAccessProblem({ access: { header }, values, takesDigest: true }), undefined);
        });
    }
});
