import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { adminApiKey, Platform } from "../support/platform.js";
import { isLongest } from "../../scale.js";
import { type Combination, short, titleOf, whole } from "./support/combination.js";
import { InstalledProject } from "./support/installed-project.js";
import { packPackages } from "./support/packed-packages.js";
import { programFiles } from "./support/program-files.js";

const golden = new URL("../../provider/fixtures/provider.txt", import.meta.url);

/** The full matrix takes 45 minutes: `SPEC_SCALE=2 npm test -- tests/e2e/packages/matrix.long.packages.spec.ts`. */
const combinations = isLongest ? whole : short;

async function createProject(combination: Combination, platform: Platform): Promise<InstalledProject> {
    const { manager, style, typescript, node, sdk } = combination;
    const { provider } = await packPackages();
    const { files, manifest, compiled = false } = programFiles(style, typescript);
    const isTypeScript = style.startsWith("TypeScript");
    const project = await InstalledProject.create({
        manager,
        node,
        manifest: {
            ...manifest,
            dependencies: {
                ...(manifest.dependencies ?? { "@pulumi/pulumi": sdk }),
                "pulumi-static-export": `file:${provider}`,
                ...(typescript === undefined || !isTypeScript ? {} : { typescript }),
                ...(isTypeScript ? { "@types/node": typescript?.startsWith("4.") ? "18.19.130" : "24.19.2" } : {}),
            },
        },
        files,
        env: { STATIC_EXPORT_BASE_URL: platform.service.url, STATIC_EXPORT_ADMIN_API_KEY: adminApiKey },
    });
    if (compiled) {
        await project.succeed("node", "node_modules/typescript/bin/tsc");
    }
    return project;
}

async function storedProvider(project: InstalledProject): Promise<string | undefined> {
    const { stdout } = await project.pulumiSucceeds(["stack", "export"]);
    const { deployment } = JSON.parse(stdout) as {
        deployment: { resources?: { inputs?: { __provider?: string } }[] };
    };
    return deployment.resources?.map(({ inputs }) => inputs?.__provider).find((text) => text !== undefined);
}

describe("the packed package in an installed project", () => {
    let platform: Platform;

    beforeEach(async () => {
        platform = await Platform.start();
    });

    afterEach(() => platform.stop());

    for (const combination of combinations) {
        it(`creates, updates and destroys a bundle: ${titleOf(combination)}`, async () => {
            const project = await createProject(combination, platform);
            try {
                await project.pulumiSucceeds(["stack", "init", "dev"]);
                await project.pulumiSucceeds(["up", "--yes", "--skip-preview"], { DOCS_VERSION: "1" });
                assert.equal(platform.count("start"), 1);
                assert.equal(await storedProvider(project), await readFile(golden, "utf8"));
                await project.pulumiSucceeds(["up", "--yes", "--skip-preview"], { DOCS_VERSION: "2" });
                assert.equal(platform.count("start"), 2);
                await project.pulumiSucceeds(["destroy", "--yes", "--skip-preview"]);
                assert.equal(await storedProvider(project), undefined);
            } finally {
                await project.remove();
            }
        });
    }
});
