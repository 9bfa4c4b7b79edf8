import assert from "node:assert/strict";
import { exported, helm, refusal, render } from "./support/render-chart.js";

const image = { repository: "registry.example.com/static-export", tag: "1" };

const cases: { title: string; values: object; says: RegExp }[] = [
    {
        title: "enabled without a link",
        values: { staticExport: { enabled: true } },
        says: /staticExport\/bundleUrl.*minLength/,
    },
    {
        title: "a digest that is none",
        values: { staticExport: { ...exported.staticExport, sha256: "abc" } },
        says: /staticExport\/sha256.*'abc' does not match/,
    },
    {
        title: "a version that YAML read as a number",
        values: { staticExport: { ...exported.staticExport, version: 2026 } },
        says: /staticExport\/version.*want string/,
    },
    {
        title: "a misspelt key",
        values: { staticExport: { ...exported.staticExport, bundleURL: "x" } },
        says: /additional properties 'bundleURL' not allowed/,
    },
    {
        title: "a misspelt resource",
        values: { ...exported, resources: { limit: { memory: "1Gi" } } },
        says: /resources.*additional properties 'limit' not allowed/,
    },
    {
        title: "a size that Kubernetes cannot read",
        values: { ...exported, resources: { limits: { memory: "banana" } } },
        says: /resources\/limits\/memory.*does not match/,
    },
    {
        title: "a misspelt toleration",
        values: { ...exported, tolerations: [{ key: "docs", operater: "Exists" }] },
        says: /tolerations\/0.*additional properties 'operater' not allowed/,
    },
    {
        title: "a variable with a number",
        values: { ...exported, extraEnv: [{ name: "RETRIES", value: 3 }] },
        says: /extraEnv\/0\/value.*want string/,
    },
    { title: "a port that does not exist", values: { ...exported, service: { port: 99999 } }, says: /service\/port/ },
    { title: "no replica", values: { ...exported, replicaCount: 0 }, says: /replicaCount.*got 0, want 1/ },
    {
        title: "a claim mode that cannot be written",
        values: { ...exported, cache: { accessModes: ["ReadOnlyMany"] } },
        says: /cache\/accessModes\/0.*must be one of/,
    },
    {
        title: "a header's name with a space",
        values: { ...exported, access: { header: { groups: "X Groups" } } },
        says: /access\/header\/groups.*does not match/,
    },
    {
        title: "a sign-in with a variable of nginx",
        values: { ...exported, access: { header: { signInUrl: "https://login.example.com/$document_root" } } },
        says: /access\/header\/signInUrl.*does not match/,
    },
    {
        title: "scopes that no OpenID provider takes",
        values: { ...exported, access: { oidc: { scopes: ["groups"] } } },
        says: /access\/oidc\/scopes/,
    },
    {
        title: "a route that no Gateway admits",
        values: { ...exported, httpRoute: { enabled: true } },
        says: /httpRoute\/parentRefs.*minItems/,
    },
    {
        title: "a server for programs without its image",
        values: { ...exported, answer: { enabled: true } },
        says: /answer\.image\.repository and answer\.image\.tag .* are required with answer\.enabled/,
    },
    {
        title: "an assistant without its model",
        values: { ...exported, answer: { enabled: true, image, assistant: { endpoint: "http://m:8000/v1" } } },
        says: /answer\.assistant\.endpoint and answer\.assistant\.model belong together/,
    },
    {
        title: "an assistant without the server for programs",
        values: { ...exported, answer: { assistant: { endpoint: "http://m:8000/v1", model: "m" } } },
        says: /answer\.assistant\.endpoint needs answer\.enabled/,
    },
    {
        title: "a key in the address of the assistant's endpoint",
        values: { ...exported, answer: { assistant: { endpoint: "https://user:key@m/v1" } } },
        says: /answer\/assistant\/endpoint.*does not match/,
    },
    { title: "a port out of range", values: { ...exported, service: { port: 70_000 } }, says: /service\/port/ },
];

const oidc = {
    issuer: "https://id.example.com",
    clientId: "docs",
    existingSecret: "docs-sign-in",
    url: "https://docs.example.com",
};

/** Pairs of individually valid values: a contradictory pair, and the most similar pair without a contradiction. */
const contradictions: { title: string; refused: object; accepted: object; says: RegExp }[] = [
    {
        title: "a drain that is over before idle connections are",
        refused: { nginx: { keepaliveSeconds: 20, drainSeconds: 20 } },
        accepted: { nginx: { keepaliveSeconds: 19, drainSeconds: 20 } },
        says: /nginx\.drainSeconds \(20\) must be greater than nginx\.keepaliveSeconds \(20\)/,
    },
    {
        title: "a drain in whose middle the pod is killed",
        refused: { nginx: { drainSeconds: 60 } },
        accepted: { nginx: { drainSeconds: 60 }, terminationGracePeriodSeconds: 61 },
        says: /terminationGracePeriodSeconds \(60\) must be greater than nginx\.drainSeconds \(60\)/,
    },
    {
        title: "fewer pods at most than at least",
        refused: { autoscaling: { enabled: true, minReplicas: 9, maxReplicas: 8 } },
        accepted: { autoscaling: { enabled: true, minReplicas: 9, maxReplicas: 9 } },
        says: /autoscaling\.minReplicas \(9\) must not be greater than autoscaling\.maxReplicas \(8\)/,
    },
    {
        title: "a header to trust from everybody",
        refused: { access: { header: { groups: "X-Groups" } } },
        accepted: { access: { header: { groups: "X-Groups" } }, networkPolicy: { ingressFrom: [{ podSelector: {} }] } },
        says: /access\.header trusts a request header.*networkPolicy\.ingressFrom/,
    },
    {
        title: "two ways to know a reader",
        refused: { access: { header: { groups: "X-Groups" }, oidc } },
        accepted: { access: { header: { user: "X-User" }, oidc } },
        says: /access\.header and access\.oidc must not both be set/,
    },
    {
        title: "an identity provider without the Secret of its client",
        refused: { access: { oidc: { ...oidc, existingSecret: "" } } },
        accepted: { access: { oidc } },
        says: /access\.oidc\.existingSecret is required/,
    },
    {
        title: "a claim for a single pod, because a rollout needs more",
        refused: { cache: { enabled: true, accessModes: ["ReadWriteOncePod"] } },
        accepted: { cache: { enabled: true, accessModes: ["ReadWriteOnce"] } },
        says: /cache\.accessModes must not contain ReadWriteOncePod/,
    },
];

describe("documentation-site: the schema of the values", function () {
    this.timeout(120_000);

    for (const { title, values, says } of cases) {
        it(`refuses ${title}, and reports the path of the value`, async () => {
            assert.match(await refusal(values), says);
        });
    }

    for (const { title, refused, accepted, says } of contradictions) {
        it(`refuses ${title}`, async () => {
            assert.match(await refusal({ ...exported, ...refused }), says);
            assert.ok((await render({ ...exported, ...accepted })).size > 0);
        });
    }

    it("accepts contradictory values of disabled features", async () => {
        const nginx = { drainSeconds: 0 };
        const autoscaling = { enabled: false, minReplicas: 9 };
        const cache = { enabled: false, accessModes: ["ReadWriteOncePod"] };
        assert.ok((await render({ ...exported, nginx, autoscaling, cache })).size > 0);
    });

    for (const bundleUrl of [
        "ftp://bundles.example.com/se_42.tar.gz?sig=s3cr3t",
        "https://user:s3cr3t@bundles.example.com/se_42.tar.gz",
        "https://bundles.example.com/se 42.tar.gz?sig=s3cr3t",
        'https://bundles.example.com/se_42.tar.gz?sig="s3cr3t',
        "bundles.example.com/se_42.tar.gz?sig=s3cr3t",
        "https://?sig=s3cr3t",
    ]) {
        it(`refuses the link ${bundleUrl} without printing it`, async () => {
            const complaint = await refusal({ staticExport: { enabled: true, bundleUrl } });
            assert.match(complaint, /staticExport\.bundleUrl must be an http\(s\) address/);
            assert.doesNotMatch(complaint, /s3cr3t/);
        });
    }

    it("accepts links signed by S3, Google, Azure and local servers", async () => {
        for (const bundleUrl of [
            "https://s3.example.com/b/se_42.tar.gz?X-Amz-Credential=K%2F20261101%2Feu&X-Amz-Signature=00ff",
            "https://storage.example.com/b/se.tar.gz?X-Goog-Credential=a%40b.iam&X-Goog-Signature=00ff",
            "https://x.blob.example.com/c/b.tar.gz?sv=2024-11-04&se=2026-11-01T00%3A00%3A00Z&sig=a%2Fb%3D",
            "http://127.0.0.1:4000/bundles/se_42.tar.gz?expires=1&signature=abc",
        ]) {
            assert.ok((await render({ staticExport: { enabled: true, bundleUrl } })).size > 0, bundleUrl);
        }
    });

    it("accepts the chart's defaults, and passes helm lint", async () => {
        assert.match(await helm(["lint", "--strict"], exported), /0 chart\(s\) failed/);
        assert.match(await helm(["lint", "--strict"], {}), /0 chart\(s\) failed/);
    });
});
