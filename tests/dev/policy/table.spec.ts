import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { table, withTable } from "../../../dev/policy/table.js";
import { policies } from "../../../policy/src/policies/index.js";

const page = new URL("../../../docs/reference/policy-pack.md", import.meta.url);

describe("The tables of the policy pack", () => {
    it("match the pack: run `npm run policy:table` after changing rules", async () => {
        const text = await readFile(page, "utf8");
        assert.equal(withTable(text, table()), text);
    });

    for (const policy of policies) {
        it(`show the check of ${policy.name}, its reason and its level`, () => {
            assert.ok(table().includes(`| \`${policy.name}\` | ${policy.description} | ${policy.why} |`));
            assert.ok(policy.enforcementLevel && policy.severity && policy.configSchema);
        });
    }

    it("cannot be inserted into a page that lacks the lines around the tables", () => {
        assert.throws(() => withTable("# Rules\n", table()), /needs the lines/);
    });
});
