import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { Provider } from "@pulumi/kubernetes/provider.js";
import { DocumentationSite, type DocumentationSiteArgs } from "pulumi-static-export/site";
import { waitUntil } from "../../wait-until.js";

const args: DocumentationSiteArgs = {
    domain: "docs.example.com",
    deploymentType: "cloud",
    namespace: "site",
    expectedSha256: "ab".repeat(32),
};
const missing = "kubectl is not on PATH, so a failed rollout cannot show why its pods did not start.";

describe("DocumentationSite, while its release is installed,", function () {
    const { PATH } = process.env;
    const { warn } = console;
    let folder: string;
    let warnings: string[];
    /** Ends the installation of the releases. */
    let install: () => void;

    before(function () {
        if (process.platform === "win32") {
            this.skip();
        }
    });
    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-spec-"));
        warnings = [];
        console.warn = (line: string) => warnings.push(line);
        await mockPulumi({ isPreview: false });
    });
    afterEach(async () => {
        console.warn = warn;
        install();
        process.env.PATH = PATH;
        pulumi.runtime.setAllConfig({}, []);
        await rm(folder, { recursive: true });
    });

    async function mockPulumi({ isPreview }: { isPreview: boolean }): Promise<void> {
        const installed = new Promise<void>((resolve) => (install = resolve));
        const newResource = async ({ type, name, inputs }: pulumi.runtime.MockResourceArgs) => {
            const outputs: Record<string, object> = {
                StaticExportJob: { jobId: "se_41" },
                StaticExportBundle: { jobId: "se_42", bundleUrl: "https://bundles.example.com/se_42" },
                BundleCheck: { sha256: "ab".repeat(32) },
                BundleMirror: { url: "https://storage.example.com/se_42", sha256: "ab".repeat(32) },
            };
            const kind = type.replace(/^.*[:/]/, "");
            await (kind === "Release" ? installed : undefined);
            return { id: name, state: { ...(inputs as object), ...outputs[kind] } };
        };
        await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "project", "stack", isPreview);
    }

    /** Installs a kubectl that records its arguments. */
    async function withKubectl(): Promise<void> {
        const file = join(folder, "kubectl");
        await writeFile(file, `#!/bin/sh\nprintf '%s\\n' "$*" > "${join(folder, "arguments")}"\necho '{"items":[]}'\n`);
        await chmod(file, 0o755);
        process.env.PATH = [folder, PATH].join(delimiter);
    }

    const declare = (changes: object = {}, options?: pulumi.ComponentResourceOptions) =>
        new DocumentationSite("docs", { ...args, ...changes }, options);
    const valueOf = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => output.apply(resolve));
    const recorded = () =>
        waitUntil("a call of kubectl", () => {
            const file = join(folder, "arguments");
            return existsSync(file) && readFileSync(file, "utf8").trim();
        });
    const warningCount = () => warnings.filter((line) => line.includes(missing)).length;

    it("asks kubectl about the pods of its release, in the cluster of the program's settings", async () => {
        await withKubectl();
        pulumi.runtime.setAllConfig({ "kubernetes:kubeconfig": "/k/config", "kubernetes:context": "prod" }, []);
        declare();
        assert.equal(
            await recorded(),
            "--kubeconfig /k/config --context prod get pods --namespace site --selector " +
                "app.kubernetes.io/instance=docs --output json --request-timeout 5s",
        );
        assert.equal(warningCount(), 0);
    });

    it("asks the cluster of a kubeconfig, about the release's own name, in the default namespace", async () => {
        await withKubectl();
        declare({ kubeconfig: "/own/config", releaseName: "other", namespace: undefined });
        assert.match(
            await recorded(),
            /^--kubeconfig \/own\/config get pods --namespace default --selector app.kubernetes.io\/instance=other /,
        );
    });

    it("asks the default cluster without any setting", async () => {
        await withKubectl();
        declare();
        assert.match(await recorded(), /^get pods --namespace site /);
    });

    it("says once that kubectl is missing", () => {
        process.env.PATH = folder;
        declare();
        assert.equal(warningCount(), 1);
    });

    it("says nothing of kubectl if the chart does not take the digest, or a provider hides its cluster", () => {
        process.env.PATH = folder;
        declare({ chart: "./own", expectedSha256: undefined });
        const kubernetes = new Provider("cluster", {});
        declare({}, { providers: { kubernetes } });
        assert.equal(warningCount(), 0);
        declare({ kubeconfig: "/own/config" }, { providers: { kubernetes } });
        assert.equal(warningCount(), 1);
    });

    it("does not ask during a preview", async () => {
        await mockPulumi({ isPreview: true });
        await withKubectl();
        const site = declare();
        install();
        await valueOf(site.release.urn);
        assert.equal(existsSync(join(folder, "arguments")), false);
    });

    it("warns of an assistant without an endpoint, which its own chart would leave out", () => {
        const features = { aiAssistant: true };
        const warned = () => warnings.filter((line) => line.includes("the site has no assistant")).length;
        const image = { repository: "registry.example.com/static-export", tag: "1" };
        declare({ features, chart: "./own" });
        declare({ features, answer: { image, assistant: { endpoint: "https://models.example.com", model: "m" } } });
        declare();
        assert.equal(warned(), 0);
        declare({ features });
        assert.equal(warned(), 1);
    });

    it("has its resources as children", async () => {
        const mirror = { bucket: "docs-bundles" };
        const site = declare({ separateStart: true, mirror });
        install();
        const parts = [site.job, site.bundle, site.check, site.mirror, site.release];
        for (const part of parts) {
            assert.match(await valueOf(part!.urn), /::static-export:index:DocumentationSite\$[^$]+::docs$/);
        }
        assert.deepEqual([declare().job, declare().mirror], [undefined, undefined]);
    });
});
