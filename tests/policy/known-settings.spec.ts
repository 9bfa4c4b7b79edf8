import assert from "node:assert/strict";
import { Ajv } from "ajv";
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

    for (const [name, accepted, refused] of [
        ["release-link-source", { allowedSources: ["my:index:Store"] }, { allowedSources: [1] }],
        ["bundle-version-pinned", { stacks: ["live-*"] }, { stacks: [""] }],
        ["release-version-matches", { stacks: [] }, { stacks: "live" }],
        ["bundle-replacement", { stacks: ["live"] }, { stacks: "live" }],
        ["protected-in-named-stacks", { stacks: ["live"] }, { stacks: "live" }],
        ["release-rollout-bounded", { maxTimeoutSeconds: 1, timeoutSeconds: 1 }, { maxTimeoutSeconds: 0 }],
        ["release-rollout-bounded", {}, { timeoutSeconds: 0.5 }],
        ["air-gapped-needs-mirror", { deploymentType: "air-gapped" }, { deploymentType: "moon" }],
        ["air-gapped-sends-nothing", { deploymentType: "cloud" }, { deploymentType: "moon" }],
        ["private-pages-need-access", { privateDomains: ["a.example"] }, { privateDomains: ["*.example"] }],
        ["private-pages-need-access", { accessValue: "signIn" }, { accessValue: "" }],
        ["link-outlives-pods", { minMirrorLinkSeconds: 1 }, { minMirrorLinkSeconds: 0 }],
        ["feature-matrix", { acknowledged: ["aiAssistant"] }, { acknowledged: ["flying"] }],
        ["feature-matrix", { featureValues: { aiAssistant: "a" } }, { featureValues: { aiAssistant: 1 } }],
        ["feature-matrix", { deploymentType: "cloud" }, { featureValues: { flying: "a" } }],
        ["adopted-job-age", { maxAgeDays: 0 }, { maxAgeDays: -1 }],
    ] as const) {
        it(`are checked before ${name} runs: ${JSON.stringify(refused)}`, async () => {
            const { configSchema } = named(name);
            const isValid = new Ajv({ strict: false }).compile({ type: "object", ...configSchema });
            assert.deepEqual([isValid(accepted), isValid(refused)], [true, false]);
            await validateStack(named(name), [], accepted);
        });
    }

    it("have defaults that are valid", () => {
        for (const { name, configSchema } of policies) {
            const isValid = new Ajv({ strict: false, useDefaults: true }).compile({ type: "object", ...configSchema });
            assert.ok(isValid({}), name);
        }
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
