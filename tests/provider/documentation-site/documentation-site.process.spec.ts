import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { DocumentationSite, type DocumentationSiteArgs } from "pulumi-static-export/site";
import { parse } from "yaml";

interface Declared {
    kind: string;
    name: string;
    inputs: Record<string, unknown>;
}

const link = "https://bundles.example.com/se_42.tar.gz?signature=abc";
const args: DocumentationSiteArgs = { domain: "docs.example.com", deploymentType: "cloud" };
const oidc = {
    issuer: "https://id.example.com",
    clientId: "docs",
    existingSecret: "sign-in",
    url: "https://docs.example.com",
};
const image = { repository: "registry.example.com/static-export", tag: "1" };
const mirror = { bucket: "docs-bundles", endpoint: "https://storage.example.com" };

describe("DocumentationSite", () => {
    let declared: Declared[];

    before(async () => {
        await pulumi.runtime.setMocks(
            {
                newResource: ({ type, name, inputs }) => {
                    const given = inputs as Record<string, unknown>;
                    const kind = type.replace(/^.*[:/]/, "");
                    declared.push({ kind, name, inputs: given });
                    const outputs: Record<string, object> = {
                        StaticExportJob: { jobId: "se_41" },
                        StaticExportBundle: { jobId: "se_42", bundleUrl: link },
                        BundleCheck: { sha256: "ab".repeat(32) },
                        BundleMirror: { url: "https://storage.example.com/se_42", sha256: "cd".repeat(32) },
                    };
                    return { id: name, state: { ...given, ...outputs[kind] } };
                },
                call: ({ inputs }) => inputs as object,
            },
            "project",
            "stack",
            false,
        );
    });
    beforeEach(() => {
        declared = [];
    });

    async function declare(changes: Partial<DocumentationSiteArgs> = {}): Promise<Map<string, Declared["inputs"]>> {
        const site = new DocumentationSite("docs", { ...args, ...changes });
        await new Promise((resolve) => pulumi.all([site.release.urn, site.mirror?.urn]).apply(resolve));
        return new Map(declared.map(({ kind, inputs }) => [kind, inputs]));
    }

    function staticExportOf(resources: Map<string, Record<string, unknown>>): Record<string, unknown> {
        const values = resources.get("Release")?.values as { staticExport: Record<string, unknown> };
        // Pulumi's mocks receive a secret as an object that contains the value.
        return Object.fromEntries(
            Object.entries(values.staticExport).map(([key, value]) => {
                return [key, (value as { value?: unknown } | null)?.value ?? value];
            }),
        );
    }

    it("starts its export with a separate resource if configured", async () => {
        const resources = await declare({ separateStart: true, version: "1", timeoutSeconds: 60 });
        assert.deepEqual(known(resources.get("StaticExportJob")), { domain: "docs.example.com", version: "1" });
        assert.deepEqual(known(resources.get("StaticExportBundle")), {
            domain: "docs.example.com",
            jobId: "se_41",
            timeoutSeconds: 60,
        });
        const both = () => new DocumentationSite("docs", { ...args, separateStart: true, jobId: "se_1" });
        assert.throws(both, /separateStart starts a job, and jobId names one.*remove one of them/);
    });

    /** Returns the given inputs, without the serialised provider. */
    function known(inputs: Record<string, unknown> = {}): Record<string, unknown> {
        return Object.fromEntries(
            Object.entries(inputs).filter(
                ([name, value]) => value !== undefined && value !== null && name !== "__provider",
            ),
        );
    }

    it("passes the export's link to the chart, with the job id as version if no version is set", async () => {
        assert.deepEqual(staticExportOf(await declare()), { enabled: true, bundleUrl: link, version: "se_42" });
        assert.equal(staticExportOf(await declare({ version: "2026-11-01" })).version, "2026-11-01");
    });

    it("passes a digest to the pods only if a mirror or expectedSha256 is set", async () => {
        const sha256 = "ab".repeat(32);
        assert.equal(staticExportOf(await declare({ mirror })).sha256, sha256);
        assert.equal(staticExportOf(await declare({ expectedSha256: sha256 })).sha256, sha256);
        assert.ok(!("sha256" in staticExportOf(await declare())));
    });

    it("checks the mirror's copy if a mirror is set, and otherwise the platform's bundle", async () => {
        const place = { ...mirror, prefix: "exports/", region: "eu-central-1", pathStyle: false };
        const others = { publicUrl: "https://pods.example.com", deleteOnRemoval: true };
        const examined = (await declare({ mirror: { ...place, ...others } })).get("BundleCheck")?.mirror;
        assert.deepEqual(examined, { ...place, sha256: "cd".repeat(32) });
        assert.equal((await declare()).get("BundleCheck")?.mirror, undefined);
    });

    it("checks the bundle against the limits of the chart's pods", async () => {
        const limitsOf = (resources: Map<string, Declared["inputs"]>) => {
            const { maxBytes, maxArchiveBytes, maxFiles, refuseLinks } = resources.get("BundleCheck") ?? {};
            return { maxBytes, maxArchiveBytes, maxFiles, refuseLinks };
        };
        const valuesFile = new URL("../../../charts/documentation-site/values.yaml", import.meta.url);
        const defaults = parse(readFileSync(valuesFile, "utf8")) as {
            fetch: { limits: { bundleMiB: number; siteMiB: number; files: number } };
        };
        const { bundleMiB, siteMiB, files } = defaults.fetch.limits;
        const mib = 1024 * 1024;
        assert.deepEqual(limitsOf(await declare()), {
            maxBytes: siteMiB * mib,
            maxArchiveBytes: bundleMiB * mib,
            maxFiles: files,
            refuseLinks: true,
        });
        const values = { fetch: { limits: { bundleMiB: 3, siteMiB: 1, files: 2 } } };
        const stricter = { maxBytes: mib, maxArchiveBytes: 3 * mib, maxFiles: 2, refuseLinks: true };
        assert.deepEqual(limitsOf(await declare({ values })), stricter);
        const unknown = Object.fromEntries(Object.keys(stricter).map((limit) => [limit, undefined]));
        assert.deepEqual(limitsOf(await declare({ chart: "./own", values })), unknown);
    });

    it("rolls out under fixed names with a deadline, and undoes a failed rollout", async () => {
        const { name, namespace, chart, atomic, cleanupOnFail, timeout } = (await declare()).get("Release") ?? {};
        assert.deepEqual(
            { name, namespace, chart, atomic, cleanupOnFail, timeout },
            {
                name: "docs",
                namespace: "default",
                chart: "./node_modules/pulumi-static-export/charts/documentation-site",
                atomic: true,
                cleanupOnFail: true,
                timeout: 600,
            },
        );
    });

    it("lets pods fetch from a configured mirror, and does not renew the platform's unused link", async () => {
        const resources = await declare({ mirror });
        assert.equal(staticExportOf(resources).bundleUrl, "https://storage.example.com/se_42");
        assert.equal(resources.get("BundleMirror")?.jobId, "se_42");
        assert.equal(resources.get("StaticExportBundle")?.renewLink, false);
        assert.equal((await declare()).get("StaticExportBundle")?.renewLink, undefined);
    });

    it("serves and checks the copy that its mirror is pinned to, with the pinned job as version", async () => {
        const pinned = { version: "2", mirror: { ...mirror, pin: "se_7" } };
        const resources = await declare(pinned);
        assert.equal(staticExportOf(resources).version, "se_7");
        assert.equal((resources.get("BundleCheck")?.mirror as { pin: string }).pin, "se_7");
        const { jobId } = new DocumentationSite("docs", { ...args, ...pinned });
        assert.equal(await new Promise((resolve) => jobId.apply(resolve)), "se_7");
    });

    it("passes only the arguments of an export to the export", async () => {
        const given = { version: "v1", paths: ["/start"], triggers: ["abc"], timeoutSeconds: 60, jobId: "se_42" };
        const { __provider, ...inputs } = (await declare(given)).get("StaticExportBundle") ?? {};
        assert.ok(__provider);
        const defined = Object.entries(inputs).filter(([, value]) => value !== undefined && value !== null);
        assert.deepEqual(Object.fromEntries(defined), { domain: "docs.example.com", ...given });
    });

    it("passes the user's values to the chart, but does not let them override its own values", async () => {
        const values = { replicaCount: 3, staticExport: { enabled: false, extra: "kept" } };
        const resources = await declare({ values });
        const release = resources.get("Release")?.values as Record<string, unknown>;
        assert.equal(release.replicaCount, 3);
        assert.equal(staticExportOf(resources).enabled, true);
        assert.equal(staticExportOf(resources).extra, "kept");
    });

    it("passes the access settings to the chart, and allows private files only if readers are restricted", async () => {
        const access = { header: { groups: "X-Groups" } };
        const isCheckedFor = (resources: Map<string, Declared["inputs"]>) => resources.get("BundleCheck")?.access;
        const valuesOf = (resources: Map<string, Declared["inputs"]>) => resources.get("Release")?.values as object;

        const networkPolicy = { ingressFrom: [{ podSelector: {} }] };
        const kept = await declare({ access, values: { networkPolicy } });
        assert.deepEqual({ ...valuesOf(kept), staticExport: {} }, { access, networkPolicy, staticExport: {} });
        assert.equal(isCheckedFor(kept), true);
        assert.equal(
            isCheckedFor(await declare({ values: { access: { oidc: { issuer: pulumi.output("x") } } } })),
            true,
        );
        for (const values of [undefined, { access: { header: { groups: "" }, oidc: { issuer: "" } } }]) {
            assert.equal(isCheckedFor(await declare(values && { values })), undefined);
        }
    });

    it("passes the answer image and the site's domain to the chart", async () => {
        const valuesOf = async (changes: object) =>
            (await declare(changes)).get("Release")?.values as Record<string, unknown>;
        assert.deepEqual((await valuesOf({ answer: { image } })).answer, {
            image,
            enabled: true,
            domain: "docs.example.com",
        });
        assert.ok(!("answer" in (await valuesOf({}))));
    });

    it("switches disabled features off in the chart", async () => {
        const values = { features: { documentationSearch: false } };
        const { Release } = Object.fromEntries(await declare({ features: { webAnalytics: false }, values }));
        assert.deepEqual((Release?.values as Record<string, unknown>).features, {
            documentationSearch: false,
            webAnalytics: false,
        });
    });

    it("passes only the contract's values to another chart", async () => {
        const chart = { chart: "oci://registry.example.com/platform/site", chartVersion: "4.2.0", mirror };
        const resources = await declare(chart);
        assert.deepEqual(Object.keys(staticExportOf(resources)).sort(), ["bundleUrl", "enabled", "version"]);
        assert.equal(resources.get("Release")?.version, "4.2.0");
    });

    it("passes the digest to a chart if chartTakesDigest is set, regardless of the chart's name", async () => {
        const copy = { chart: "oci://registry.example.com/documentation-site", chartVersion: "0.1.0", mirror };
        assert.ok(!("sha256" in staticExportOf(await declare(copy))));
        assert.ok("sha256" in staticExportOf(await declare({ ...copy, chartTakesDigest: true })));
        assert.ok(!("sha256" in staticExportOf(await declare({ mirror, chartTakesDigest: false }))));
    });

    for (const [title, changes, says] of [
        [
            "an input that is misspelled",
            { verison: "1" } as object,
            /verison is not an input\. The inputs are domain, version,/,
        ],
        ["a site without a domain", { domain: undefined } as object, /domain is required: the host name/],
        ["an absolute chart path", { chart: "/home/me/chart" }, /absolute path.*differs between machines/],
        ["an OCI chart without a version", { chart: "oci://registry.example.com/site" }, /needs chartVersion/],
        ["a repository without a version", { chart: "site", chartRepository: "https://x" }, /needs chartVersion/],
        [
            "a feature that the matrix calls unavailable",
            { deploymentType: "air-gapped", mirror, features: { aiAssistant: true } },
            /DocumentationSite docs: features\.aiAssistant cannot be true: AI assistant is unavailable.*air-gapped/,
        ],
        [
            "access without a way",
            { access: {} },
            /access must have header or oidc, which says how the pods identify readers/,
        ],
        ["two ways of access", { access: { header: { groups: "x" }, oidc } }, /must not both be set.*Remove one/],
        [
            "access in two places",
            { access: { oidc }, values: { access: { oidc } } },
            /access and values\.access must not both be set: move values\.access's settings/,
        ],
        [
            "access with a chart that may not enforce it",
            { access: { oidc }, chart: "./own" },
            /access needs the chart in this package.*chartTakesDigest to true/,
        ],
        [
            "a way of access that misses an input",
            { access: { oidc: { ...oidc, clientId: "" } } },
            /access\.oidc\.clientId is required/,
        ],
        [
            "a way of access that is not known yet",
            { access: { oidc: pulumi.output(oidc) } },
            /access\.oidc must be an object that is known while the program runs/,
        ],
        ["the name of no way of access", { access: { oidc, saml: {} } as object }, /access\.saml is not an input/],
        [
            "a secret of the sign-in in the program",
            { access: { oidc: { ...oidc, clientSecret: "s3cr3t" } as never } },
            /access\.oidc\.clientSecret is not an input\. .*\. Put secrets into the Secret that existingSecret names\.$/,
        ],
        ["an answer without its image", { answer: {} as never }, /answer\.image is required/],
        ["an air-gapped site without a mirror", { deploymentType: "air-gapped" }, /set mirror/],
    ] as [string, Partial<DocumentationSiteArgs>, RegExp][]) {
        it(`refuses ${title} before any resource is declared`, () => {
            assert.throws(() => new DocumentationSite("docs", { ...args, ...changes }), says);
            assert.deepEqual(declared, []);
        });
    }

    it("returns the support of each feature from the feature matrix", () => {
        assert.equal(new DocumentationSite("docs", args).featureSupport.webAnalytics, "available");
    });

    describe("refuses arguments that a TypeScript compiler would have refused:", () => {
        const later = pulumi.output("cloud");
        for (const [given, message] of [
            [undefined, "domain is required: the host name of the documentation site"],
            [
                { ...args, deploymentType: later },
                "deploymentType must be known while the program runs, so it cannot be an Output",
            ],
            [{ ...args, chart: later }, "chart must be known while the program runs, so it cannot be an Output"],
            [
                { ...args, mirror: pulumi.output(mirror) },
                "mirror must be known while the program runs, so it cannot be an Output. Only its properties may be Outputs",
            ],
            [{ ...args, features: ["aiAssistant"] }, 'features must be an object, got ["aiAssistant"]'],
            [{ ...args, features: { aiAssistant: "no" } }, 'features.aiAssistant must be true or false, got "no"'],
            [
                { ...args, features: { aiAssistant: pulumi.output(true) } },
                "features.aiAssistant must be known while the program runs, so it cannot be an Output",
            ],
            [{ ...args, values: "replicas: 2" }, 'values must be an object, got "replicas: 2"'],
            [{ ...args, chartTakesDigest: "true" }, 'chartTakesDigest must be true or false, got "true"'],
            [{ ...args, chart: 5 }, "chart must be a string, got 5"],
        ] as const) {
            it(message, () => {
                const declare = () => new DocumentationSite("docs", given as unknown as DocumentationSiteArgs);
                assert.throws(declare, { message: `DocumentationSite docs: ${message}.` });
            });
        }
    });
});
