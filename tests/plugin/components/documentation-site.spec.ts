import assert from "node:assert/strict";
import { markKey, marks } from "@pulumi-static-export/contract";
import { declareSite } from "../../../plugin/src/components/documentation-site.js";
import { RegisteredResource, type WireProperties } from "../../../plugin/src/components/resource-monitor.js";
import { decode, encode } from "../../../plugin/src/wire/properties.js";

const secret = (value: unknown) => ({ [markKey]: marks.secret, value });
const site = {
    domain: "docs.example.com",
    deploymentType: "client-hosted",
    chart: "oci://charts/docs",
    chartVersion: "1",
};
const outputs: Record<string, WireProperties> = {
    StaticExportJob: { jobId: "se_9" },
    StaticExportBundle: { jobId: "se_1", bundleUrl: secret("https://link") },
    BundleMirror: { url: secret("https://copy"), sha256: "abc" },
    BundleCheck: { sha256: "abc" },
    Release: { name: "docs" },
};

/** Declares the site with an engine that responds immediately, and returns the inputs of the declared resources. */
async function inputsOf(given: WireProperties): Promise<Record<string, WireProperties>> {
    const wire = { ...site, ...given };
    const declared: Record<string, WireProperties> = {};
    const { values } = decode(encode(wire, new Set()));
    await declareSite("docs", { values, wire }, ({ type, inputs }) => {
        const name = type.split(":").at(-1)!;
        declared[name] = inputs;
        return Promise.resolve(new RegisteredResource(`urn:${name}`, outputs[name]!));
    });
    return declared;
}

describe("DocumentationSite of the plugin", () => {
    it("passes the link to the release as a secret, and the job as the version if no version is set", async () => {
        const { Release } = await inputsOf({});
        assert.deepEqual(Release?.["values"], {
            staticExport: { enabled: true, bundleUrl: secret("https://link"), version: "se_1" },
        });
    });

    it("passes the address and the digest of the mirror's copy to the release", async () => {
        const { Release, BundleCheck } = await inputsOf({
            mirror: { bucket: "docs", deleteOnRemoval: true },
            version: "2",
            chartTakesDigest: true,
        });
        assert.deepEqual(Release?.["values"], {
            staticExport: { enabled: true, bundleUrl: secret("https://copy"), version: "2", sha256: "abc" },
        });
        assert.deepEqual(BundleCheck?.["mirror"], { bucket: "docs", sha256: "abc" });
    });

    it("serves and checks the mirror's pinned copy instead of the program's version", async () => {
        const { Release, BundleCheck } = await inputsOf({ version: "2", mirror: { bucket: "docs", pin: "se_7" } });
        const { staticExport } = Release?.["values"] as { staticExport: WireProperties };
        assert.equal(staticExport["version"], "se_7");
        assert.deepEqual(BundleCheck?.["mirror"], { bucket: "docs", pin: "se_7", sha256: "abc" });
    });

    it("preserves the program's chart values and their secrecy", async () => {
        const values = secret({ replicas: 2, staticExport: { path: "/docs" } });
        const { Release } = await inputsOf({ values });
        assert.deepEqual(Release?.["values"], {
            ...values,
            value: {
                replicas: 2,
                staticExport: { path: "/docs", enabled: true, bundleUrl: secret("https://link"), version: "se_1" },
            },
        });
    });

    it("passes the access settings to the release, and checks the bundle for restricted readers", async () => {
        const access = { oidc: { issuer: "i", clientId: "c", existingSecret: secret("s"), url: "u" } };
        const { Release, BundleCheck } = await inputsOf({ access, chartTakesDigest: true });
        assert.deepEqual((Release?.["values"] as WireProperties)["access"], access);
        assert.equal(BundleCheck?.["access"], true);
        assert.equal((await inputsOf({}))["BundleCheck"]?.["access"], undefined);
    });

    it("passes the answer service's image and domain to the chart", async () => {
        const answer = { image: { repository: "registry.example.com/static-export", tag: "1" } };
        const { Release } = await inputsOf({ answer, chartTakesDigest: true });
        const values = Release?.["values"] as WireProperties;
        assert.deepEqual(values["answer"], { ...answer, enabled: true, domain: "docs.example.com" });
        await assert.rejects(inputsOf({ answer }), /answer needs the chart/);
    });

    it("switches features off in the chart, as the npm package's component does", async () => {
        const given = { chartTakesDigest: true, features: { webAnalytics: false }, values: { features: { mcp: 1 } } };
        const { Release } = await inputsOf(given);
        assert.deepEqual((Release?.["values"] as WireProperties)["features"], { mcp: 1, webAnalytics: false });
        const others = await inputsOf({ chartTakesDigest: true, features: { webAnalytics: true } });
        assert.ok(!("features" in (others["Release"]?.["values"] as WireProperties)));
    });

    it("refuses invalid settings, as the npm package's component does", async () => {
        await assert.rejects(
            inputsOf({ deploymentType: "air-gapped" }),
            /cannot reach the platform's link: set mirror/,
        );
        assert.ok(await inputsOf({ deploymentType: "air-gapped", mirror: { bucket: "docs" } }));
        const access = { oidc: { issuer: "i" }, header: { groups: "g" } };
        await assert.rejects(
            inputsOf({ access, chartTakesDigest: true }),
            /access\.header and access\.oidc must not both/,
        );
    });

    it("starts the export with a separate resource, whose job the bundle adopts", async () => {
        const triggers = { commit: "c0ffee" };
        const { StaticExportJob, StaticExportBundle } = await inputsOf({ separateStart: true, triggers });
        assert.deepEqual(StaticExportJob, { domain: site.domain, triggers });
        assert.deepEqual(StaticExportBundle, { domain: site.domain, jobId: "se_9" });
        assert.equal((await inputsOf({ triggers }))["StaticExportJob"], undefined);
    });

    it("refuses to start a job if the program names a job", async () => {
        await assert.rejects(inputsOf({ separateStart: true, jobId: "se_1" }), /separateStart starts a job, and jobId/);
    });

    it("refuses an unknown value for an input that affects the declared resources", async () => {
        const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
        await assert.rejects(
            inputsOf({ deploymentType: unknown }),
            /^Error: DocumentationSite docs: deploymentType must be known while the program runs\.$/,
        );
    });
});
