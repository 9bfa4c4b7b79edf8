import assert from "node:assert/strict";
import { table } from "../../../dev/policy/table.js";
import { readAndUpdate, withSection } from "../../../dev/references/write.js";
import { policies } from "../../../policy/src/policies/index.js";

describe("The tables of the policy pack", () => {
    it("match the pack: run `npm run references` after changing rules", async () => {
        const { text, updated } = await readAndUpdate("docs/reference/policy-pack.md");
        assert.equal(updated, text);
    });

    for (const policy of policies) {
        it(`show the check of ${policy.name}, its reason and its level`, () => {
            assert.ok(table().includes(`| \`${policy.name}\` | ${policy.description} | ${policy.why} |`));
            assert.ok(policy.enforcementLevel && policy.severity && policy.configSchema);
        });
    }

    it("cannot be inserted into a page that lacks the marks around the tables", () => {
        assert.throws(() => withSection("# Rules\n", table()), /needs marks/);
    });
});
