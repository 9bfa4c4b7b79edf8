import assert from "node:assert/strict";
import { policies } from "../../policy/src/policies/index.js";
import { bundle, link, release } from "./support/resources.js";
import { validate, validateStack } from "./support/run-policy.js";

const named = (name: string) => policies.find((each) => each.name === name)!;
const stack = [bundle(), release({ staticExport: { enabled: true, bundleUrl: link } }, [bundle()])];

describe("The settings of a rule", () => {
    it("are refused if they are misspelt, in a rule of the whole stack", async () => {
        await assert.rejects(
            validateStack(named("link-outlives-pods"), stack, { minMirrorLinkSecond: 60 }),
            /policy link-outlives-pods has "minMirrorLinkSecond", which is not a setting: its settings are minMirror/,
        );
    });

    it("are refused if they are misspelt, in a rule of one resource", async () => {
        await assert.rejects(
            validate(named("bundle-version-pinned"), bundle(), { stack: ["production"] }),
            /policy bundle-version-pinned has "stack", which is not a setting: its settings are stacks/,
        );
    });

    it("are refused in a rule that has none", async () => {
        await assert.rejects(
            validateStack(named("one-bundle-per-domain"), stack, { domains: [] }),
            /policy one-bundle-per-domain has "domains", which is not a setting: it has no settings/,
        );
    });

    it("are taken if they are known", async () => {
        await validateStack(named("link-outlives-pods"), stack, { minMirrorLinkSeconds: 60 });
        await validate(named("bundle-version-pinned"), bundle(), { stacks: ["production"] });
    });

    it("have patterns without look-around and back-references, which the engine's regular expressions lack", () => {
        const patterns = JSON.stringify(policies.map(({ configSchema }) => configSchema ?? {})).match(
            /"pattern":"[^"]*"/g,
        );
        assert.ok(patterns !== null);
        assert.deepEqual(
            patterns.filter((pattern) => /\(\?<?[=!]|\\\\[1-9]|\\\\k/.test(pattern)),
            [],
        );
    });
});
