import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { EngineStack } from "./support/engine-stack.js";
import { domain } from "./support/platform.js";

const program = `
import * as provider from "pulumi-static-export";
import { BundleCheck } from "pulumi-static-export/site";
new provider.StaticExportBundle("static-export-bundle", { domain: "${domain}" });
new provider.StaticExportJob("static-export-job", { domain: "${domain}" });
new provider.AgentJob("agent-job", { projectId: "docs", prompt: "Fix typos." });
new provider.DocumentationUpdate("documentation-update", { projectId: "docs" });
new provider.BundleMirror("bundle-mirror", { jobId: "se_1", bucket: "docs-bundles" });
new provider.BucketSite("bucket-site", { jobId: "se_1", bucket: "docs" });
new BundleCheck("bundle-check", { jobId: "se_1" });
`;

const names = [...program.matchAll(/\("([\w-]+)"/g)].map(([, name = ""]) => name);

interface Preview {
    steps: { urn: string; newState?: { inputs?: { __provider?: string } } }[];
}

describe("the serialised provider in users' states", () => {
    const codes = new Map<string, string | undefined>();

    before(async () => {
        const stack = await EngineStack.create({ program });
        try {
            const { steps } = JSON.parse((await stack.succeed("preview", "--json")).stdout) as Preview;
            for (const { urn, newState } of steps) {
                codes.set(urn.split("::").at(-1) ?? "", newState?.inputs?.__provider);
            }
        } finally {
            await stack.remove();
        }
    });

    for (const name of names) {
        it(`matches the golden file byte for byte: ${name}`, async () => {
            const golden = await readFile(new URL("../provider/fixtures/provider.txt", import.meta.url), "utf8");
            const kind = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
            assert.equal(codes.get(name), golden.replaceAll('kind: "staticExportBundle"', `kind: "${kind}"`));
        });
    }
});
