import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { EngineStack } from "./support/engine-stack.js";
import { domain } from "./support/platform.js";

const programs = {
    "static-export-bundle-provider": `new StaticExportBundle("docs", { domain: "${domain}" });\n`,
    "static-export-job-provider": `import { StaticExportJob } from "pulumi-static-export";
new StaticExportJob("docs", { domain: "${domain}" });\n`,
    "agent-job-provider": `import { AgentJob } from "pulumi-static-export";
new AgentJob("docs", { projectId: "docs", prompt: "Fix typos." });\n`,
    "documentation-update-provider": `import { DocumentationUpdate } from "pulumi-static-export";
new DocumentationUpdate("docs", { projectId: "docs" });\n`,
    "bundle-mirror-provider": `import { BundleMirror } from "pulumi-static-export";
new BundleMirror("docs", { jobId: "se_1", bucket: "docs-bundles" });\n`,
    "bucket-site-provider": `import { BucketSite } from "pulumi-static-export";
new BucketSite("docs", { jobId: "se_1", bucket: "docs" });\n`,
    "bundle-check-provider": `import { BundleCheck } from "pulumi-static-export/site";
new BundleCheck("docs", { jobId: "se_1" });\n`,
};

describe("the serialised provider in users' states", () => {
    for (const [name, program] of Object.entries(programs)) {
        it(`matches the golden file byte for byte: ${name}`, async () => {
            const golden = new URL(`../provider/fixtures/${name}.txt`, import.meta.url);
            const stack = await EngineStack.create({ program });
            try {
                const { stdout } = await stack.succeed("preview", "--json");
                const { steps } = JSON.parse(stdout) as {
                    steps: { newState?: { inputs?: { __provider?: string } } }[];
                };
                const code = steps
                    .map(({ newState }) => newState?.inputs?.__provider)
                    .find((text) => text !== undefined);
                assert.equal(code, await readFile(golden, "utf8"));
            } finally {
                await stack.remove();
            }
        });
    }
});
