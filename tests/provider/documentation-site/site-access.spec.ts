import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import schema from "../../../plugin/src/schema.json" with { type: "json" };
import { findAccessProblem } from "../../../provider/src/documentation-site/site-access.js";

const valuesFile = new URL("../../../charts/documentation-site/values.yaml", import.meta.url);
const chartValues = parse(readFileSync(valuesFile, "utf8")) as { access: Record<string, object> };

describe("The access of a DocumentationSite", () => {
    for (const [way, type] of [
        ["header", schema.types["static-export:index:HeaderAccess"]],
        ["oidc", schema.types["static-export:index:OidcAccess"]],
    ] as const) {
        it(`has the values of the chart, and so has the plugin's schema: ${way}`, () => {
            const access = { [way]: { bogus: "x" } };
            const [, list = ""] =
                /the inputs are (.*)$/.exec(findAccessProblem({ access, takesDigest: true }) ?? "") ?? [];
            assert.deepEqual(list.split(", ").sort(), Object.keys(chartValues.access[way] ?? {}).sort());
            assert.deepEqual(list.split(", ").sort(), Object.keys(type.properties).sort());
        });

        it(`needs what the plugin's schema says that it needs: ${way}`, () => {
            const given = Object.fromEntries(type.required.map((name) => [name, "x"]));
            const problemOf = (inputs: object) => findAccessProblem({ access: { [way]: inputs }, takesDigest: true });
            assert.equal(problemOf(given), undefined);
            for (const name of type.required) {
                assert.equal(problemOf({ ...given, [name]: undefined }), `access.${way}.${name} is required`);
            }
        });
    }
});
