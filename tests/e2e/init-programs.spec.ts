import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { ensureKubernetesProvider } from "@pulumi-static-export/toolchain";
import { parse } from "yaml";
import { type Language, type Target, targets, writeProject } from "../../cli/src/init/programs.js";
import { PluginFolder } from "./plugin/support/plugin-folder.js";
import { python } from "./plugin/support/program-languages.js";
import { EngineStack } from "./support/engine-stack.js";

/** Relative to the folder of a stack. */
const chart = "../../charts/documentation-site";
const typeOf: Record<Target, RegExp> = {
    export: /static-export:(index:)?StaticExportBundle/,
    bucket: /static-export:(index:)?BucketSite/,
    cluster: /kubernetes:helm\.sh\/v3:Release/,
};

describe("each program of static-export init", () => {
    let plugin: PluginFolder;
    let pathFolders: string[];

    before(async () => {
        plugin = await PluginFolder.create();
        pathFolders = [...plugin.pathFolders, dirname(await ensureKubernetesProvider())];
    });
    after(() => plugin.remove());

    const preview = async (language: Language, target: Target, env: Record<string, string> = {}) => {
        const project = { name: "docs", stack: "dev", baseUrl: "http://127.0.0.1:9", domain: "docs.example.com" };
        const { "Pulumi.dev.yaml": settings = "", ...program } = writeProject({
            ...{ ...project, language, target },
            ...{ bucket: "docs", chart },
        });
        // The virtual environment of the specs.
        program["Pulumi.yaml"] = program["Pulumi.yaml"]!.replace(/^ {2}options:\n(?: {4}.*\n)+/m, "");
        // The package.json that npm writes, because the checkout's is for ES modules.
        program["package.json"] = "{}";
        const { config } = parse(settings) as { config: Record<string, string> };
        const KUBECONFIG = join(plugin.folder, "no-kubeconfig");
        const stack = await EngineStack.create({ program, env: { KUBECONFIG, ...env }, pathFolders });
        try {
            await stack.configure({ config });
            const { output } = await stack.succeed("preview");
            assert.match(output, typeOf[target]);
        } finally {
            await stack.remove();
        }
    };

    for (const target of targets) {
        for (const language of ["typescript", "yaml"] as const) {
            it(`is previewed without a key, a bucket's keys or a cluster: ${target} in ${language}`, () =>
                preview(language, target));
        }
    }

    it("is previewed with the package that Pulumi generates: every target without a chart in python", async () => {
        const { pathFolders: hosts = [], env } = await python.prepare(plugin);
        pathFolders.push(...hosts);
        await preview("python", "export", env);
        await preview("python", "bucket", env);
    });
});
