import assert from "node:assert/strict";
import { type PolicyRun, PolicyStack } from "./support/policy-stack.js";

const program = `
const protect = true;
const bundle = new StaticExportBundle("docs", { domain: "docs.example.com", version: "1", renewLink: false }, { protect });
const mirror = new BundleMirror("docs", { jobId: bundle.jobId, ...storage });
const bounded = { atomic: true, cleanupOnFail: true, timeout: 600 };
const release = (name: string, values: pulumi.Input<any>, settings: object = bounded, opts: object = { protect }) =>
    new k8s.helm.v3.Release(name, { name, namespace: "default", chart: "./chart", values, ...settings }, opts);
const staticExport = { enabled: true, bundleUrl: mirror.url, version: bundle.version };

release("site", { staticExport, playground: { on: true } });
release("unbounded", { staticExport, password: pulumi.secret("5ecret-value") }, {});
release("umbrella", { docs: { staticExport }, tools: { replicas: 2 } });
release("applied", pulumi.all([mirror.url, bundle.jobId]).apply(([bundleUrl, version]) => ({
    staticExport: { enabled: true, bundleUrl, version },
})));
release("proxied", { staticExport: { ...staticExport, bundleUrl: mirror.url.apply((url) => url.replace("127.0.0.1", "localhost")) } });
release("files", { staticExport }, { ...bounded, valueYamlFiles: [new pulumi.asset.StringAsset("staticExport: { enabled: true }")] });

class Portal extends pulumi.ComponentResource {
    readonly link: pulumi.Output<string>;
    constructor(name: string) {
        super("my:index:Portal", name, { domain: "portal.example.com" });
        const inside = { parent: this, protect };
        const bundle = new StaticExportBundle(name, { domain: "portal.example.com", version: "2", renewLink: false }, inside);
        const mirror = new BundleMirror(name, { jobId: bundle.jobId, ...storage }, inside);
        this.link = mirror.url;
        release(name, { staticExport: { enabled: true, bundleUrl: this.link, version: bundle.jobId } }, bounded, inside);
        this.registerOutputs({ link: this.link });
    }
}
const portal = new Portal("portal");
release("outside", { staticExport: { enabled: true, bundleUrl: portal.link, version: "2" } });

new DocumentationSite("whole", {
    domain: "whole.example.com",
    version: "3",
    deploymentType: "air-gapped",
    features: { apiPlayground: true },
    mirror: storage,
    chart: "./chart",
}, { protect });

// These releases are unrelated to static exports.
release("flag", { staticExport: true, replicas: 1 }, {}, {});
release("next", { staticExport: { enabled: true, outputDir: "out" } }, {}, {});
release("plain", { replicas: 1 }, { atomic: false, timeout: 86400 }, {});
new k8s.helm.v3.Chart("templated", { path: "./chart", values: { staticExport: { enabled: true } } });
new k8s.helm.v4.Chart("chart", { chart: "./chart", values: { staticExport: { enabled: true, bundleUrl: mirror.url } } });
`;

const named = { stacks: ["dev"] };
const packConfig = {
    "bundle-version-pinned": named,
    "release-version-matches": named,
    "bundle-replacement": named,
    "protected-in-named-stacks": named,
    "air-gapped-needs-mirror": { deploymentType: "air-gapped" },
    "feature-matrix": {
        deploymentType: "air-gapped",
        featureValues: { apiPlayground: "playground.on" },
        acknowledged: ["apiPlayground"],
    },
};

describe("A program that follows every rule and also installs other charts, on the real engine,", () => {
    let stack: PolicyStack;
    const runs = new Map<string, PolicyRun>();

    before(async () => {
        stack = await PolicyStack.create(program, packConfig, [
            "docs.example.com",
            "portal.example.com",
            "whole.example.com",
        ]);
        runs.set("the first preview", await stack.preview());
        runs.set("the update", await stack.up());
        runs.set("a preview without changes", await stack.preview());
    });
    after(() => stack?.remove());

    for (const run of ["the first preview", "the update", "a preview without changes"]) {
        it(`passes in ${run}`, () => {
            const { exitCode, violations, output } = runs.get(run)!;
            assert.deepEqual(violations, [], output);
            assert.equal(exitCode, 0, output);
            assert.doesNotMatch(output, /can't run|UnknownValueError/);
        });

        it(`has the limits of one release set by remediation in ${run}`, () => {
            assert.match(runs.get(run)!.output, /\[remediate\] +release-rollout-bounded +\(1 resource\)/);
        });
    }

    it("shows no diff after a remediation", () => {
        assert.match(runs.get("a preview without changes")!.output, /\d+ unchanged\n/);
        assert.doesNotMatch(runs.get("a preview without changes")!.output, /to (update|create|replace)/);
    });

    it("stores a remediated release with its secret encrypted, and with configured and default limits", async () => {
        const { stdout } = await stack.stack.succeed("stack", "export");
        assert.doesNotMatch(stdout, /5ecret-value/);
        const { deployment } = JSON.parse(stdout) as { deployment: { resources: { urn: string; inputs: object }[] } };
        const { inputs } = deployment.resources.find(({ urn }) => urn.endsWith("Release::unbounded"))!;
        const { atomic, cleanupOnFail, timeout } = inputs as Record<string, unknown>;
        assert.deepEqual({ atomic, cleanupOnFail, timeout }, { atomic: true, cleanupOnFail: true, timeout: 300 });
    });
});
