import assert from "node:assert/strict";
import { EngineStack } from "./support/engine-stack.js";
import { kubernetesProviderFolder } from "../support/kubernetes-provider.js";

const secret = {
    "static-export:adminApiKey": "admin_planted-key",
    databaseUrl: "postgres://exports:planted-password@db.example.com/exports",
    accessKeyId: "planted-id",
    secretAccessKey: "planted-secret",
};

describe("examples/self-hosted on the real engine", () => {
    it("can be previewed without a service, database or cluster, and shows no secret", async () => {
        const stack = await EngineStack.create({
            program: new URL("../../examples/self-hosted/", import.meta.url),
            config: { "static-export:baseUrl": "https://docs-admin.example.net" },
            secret,
            pathFolders: [await kubernetesProviderFolder()],
        });
        try {
            const { output } = await stack.succeed("preview", "--diff");
            for (const declared of [
                "static-export:index:DocumentationService",
                "kubernetes:core/v1:Secret",
                "kubernetes:helm.sh/v3:Release",
                "static-export:index:DocumentationSite",
                "static-export:StaticExportBundle",
            ]) {
                assert.ok(output.includes(declared), `${declared} is not declared:\n${output}`);
            }
            assert.doesNotMatch(output, /planted/);
        } finally {
            await stack.remove();
        }
    });
});
