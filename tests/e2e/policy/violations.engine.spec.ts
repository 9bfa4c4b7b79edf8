import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { policies } from "../../../policy/src/policies/index.js";
import { adminApiKey } from "../support/platform.js";
import { isLong } from "../../scale.js";
import { type PolicyRun, PolicyStack } from "./support/policy-stack.js";

const program = (domain: string) => `
const first = new StaticExportBundle("first", { domain: "${domain}" });
new StaticExportBundle("second", { domain: "Docs.example.com", version: "1" });
const staged = new StaticExportBundle("staged", { domain: "staged.example.com", version: "1" });
new StaticExportBundle("adopting", { domain: "adopted.example.com", jobId: staged.jobId });

const release = (name: string, values: object, settings = {}) =>
    new k8s.helm.v3.Release(name, { name: "r-" + name.slice(0, 3), namespace: "default", chart: "./chart", values, ...settings });
release("literal", { staticExport: { enabled: true, bundleUrl: "https://literal.example.com/5ecret" } });
release("off\\u202e\\u001b[31m", { staticExport: { enabled: false, bundleUrl: staged.bundleUrl, version: staged.version } });
release("linkless", { staticExport: { enabled: true } });
new DocumentationSite("walled", {
    domain: "walled.example.com",
    version: "1",
    deploymentType: "air-gapped",
    features: { apiPlayground: true },
    mirror: storage,
    chart: "./chart",
}, { protect: true });
new BundleCheck("checked", { jobId: staged.jobId });
release("mismatched", { staticExport: { enabled: true, bundleUrl: staged.bundleUrl, version: "another" }, search: { on: true } });
`;

/** All levels are advisory, so that one update shows all violations. */
const packConfig = {
    all: "advisory",
    ...Object.fromEntries(
        ["bundle-version-pinned", "bundle-replacement", "protected-in-named-stacks", "release-version-matches"].map(
            (policy) => [policy, { stacks: ["dev"] }],
        ),
    ),
    "adopted-job-age": { maxAgeDays: 0 },
    "air-gapped-needs-mirror": { deploymentType: "air-gapped" },
    "air-gapped-sends-nothing": { deploymentType: "air-gapped" },
    "private-pages-need-access": { privateDomains: ["staged.example.com", "walled.example.com"] },
    "feature-matrix": { deploymentType: "air-gapped", featureValues: { documentationSearch: "search.on" } },
};

/** The findings of each rule in the program, in a preview before anything exists and in every later run. */
const expected: Record<string, string[]> = {
    "release-link-source": ["Release literal"],
    "release-link-enabled": ["Release off", "Release linkless"],
    "bundle-version-pinned": ["StaticExportBundle first"],
    "release-version-matches": ["Release mismatched"],
    "release-rollout-bounded": ["Release literal", "Release off", "Release linkless", "Release mismatched"],
    "air-gapped-needs-mirror": ["Release mismatched"],
    "private-pages-need-access": ["Release mismatched", "Release walled"],
    "link-outlives-pods": ["Release mismatched"],
    "feature-matrix": ["DocumentationSite walled", "Release mismatched"],
    "one-bundle-per-domain": ["StaticExportBundle second"],
    "protected-in-named-stacks": [
        ...["first", "second", "staged", "adopting"].map((name) => `StaticExportBundle ${name}`),
        ...["literal", "off", "linkless", "mismatched"].map((name) => `Release ${name}`),
    ],
};

/** Findings that need the export. */
const expectedLater = {
    "adopted-job-age": ["StaticExportBundle adopting"],
    "air-gapped-sends-nothing": ["Release mismatched", "Release walled"],
};

/** Findings that need a change of an existing resource. */
const expectedOfChange = { "bundle-replacement": ["StaticExportBundle first"] };

describe("A program that breaks every rule, on the real engine,", () => {
    let stack: PolicyStack;
    const runs = new Map<string, PolicyRun>();

    before(async () => {
        const domains = ["docs", "other", "staged", "adopted", "walled"].map((name) => `${name}.example.com`);
        stack = await PolicyStack.create(program("docs.example.com"), packConfig, domains);
        const page = "# Start\n\n![A plan](https://img.example.net/plan.png)\n";
        await writeFile(join(stack.platform.site, "start.md"), page);
        runs.set("the first preview", await stack.preview());
        if (isLong) {
            runs.set("the update", await stack.up());
            runs.set("a preview without changes", await stack.preview());
            await stack.writeProgram(program("other.example.com"));
            runs.set("the preview of a replacement", await stack.preview());
            runs.set("the replacement", await stack.up());
        }
    });
    after(() => stack?.remove());

    for (const [run, rules] of Object.entries({
        "the first preview": expected,
        ...(isLong && {
            "the update": { ...expected, ...expectedLater },
            "the replacement": { ...expectedOfChange, ...expectedLater },
            "a preview without changes": { ...expected, ...expectedLater },
            "the preview of a replacement": { ...expectedOfChange, ...expectedLater },
        }),
    })) {
        for (const [policy, resources] of Object.entries(rules)) {
            it(`violates ${policy} in ${run}`, () => {
                const found = runs.get(run)!.violations.filter((each) => each.policy === policy);
                // The engine prints the hostile name unchanged, so only its start is compared.
                const names = found.map(({ resource }) => resource.replace(/ off.*$/s, " off"));
                assert.deepEqual(names.sort(), [...resources].sort(), runs.get(run)!.output);
            });
        }
    }

    if (isLong) {
        it("violates every rule of the pack in at least one run", () => {
            const told = new Set(
                [...runs.values()].flatMap(({ violations }) => violations.map(({ policy }) => policy)),
            );
            assert.deepEqual([...told].sort(), policies.map(({ name }) => name).sort());
        });
    }

    it("can be checked by all rules during a preview, without revealing a secret", () => {
        for (const [run, { output, exitCode }] of runs) {
            assert.equal(exitCode, 0, `${run}: ${output}`);
            assert.doesNotMatch(output, /can't run|UnknownValueError/, run);
            assert.doesNotMatch(output, new RegExp(`5ecret|signature=|${adminApiKey}`), run);
        }
    });

    it("cannot inject control characters through a release name", () => {
        assert.match(runs.get("the first preview")!.output, /Release "off\\u\{202e\}\\u\{1b\}\[31m" has a link/);
    });
});

describe("A mandatory rule on the real engine", () => {
    let stack: PolicyStack;
    before(async () => {
        const packConfig = {
            "bundle-version-pinned": { stacks: ["dev"] },
            // The engine drops the level of a rule that does not exist before the pack sees the configuration.
            "bundle-version-pined": "disabled",
        };
        stack = await PolicyStack.create(
            'new StaticExportBundle("docs", { domain: "docs.example.com" });',
            packConfig,
            ["docs.example.com"],
        );
    });
    after(() => stack?.remove());

    it("fails the preview, and stops the update before a job is started", async () => {
        for (const run of [await stack.preview(), await stack.up()]) {
            assert.notEqual(run.exitCode, 0);
            assert.deepEqual(run.violations, [
                { level: "mandatory", policy: "bundle-version-pinned", resource: "StaticExportBundle docs" },
            ]);
        }
        assert.deepEqual(stack.platform.requests, []);
    });

    it("fails with settings for a rule that does not exist, because the engine finds no level for them", async () => {
        await stack.stack.writeFiles({ "pack-config.json": '{ "bundle-version-pined": { "stacks": ["dev"] } }' });
        const { exitCode, output } = await stack.preview();
        assert.notEqual(exitCode, 0);
        assert.match(output, /configuring policy pack "pulumi-static-export".*: invalid enforcement level ""/);
    });
});
