import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureKubernetesProvider } from "@pulumi-static-export/toolchain";
import { isLongest } from "../../scale.js";
import { InstalledProject } from "./support/installed-project.js";
import { type PackageManager } from "./support/package-managers.js";
import { packPackages } from "./support/packed-packages.js";

const examples = fileURLToPath(new URL("../../../examples/", import.meta.url));

/** The examples with a program. */
const names = readdirSync(examples).filter((name) => existsSync(join(examples, name, "package.json")));

/**
 * The previews of these examples need the clouds' plugins; tests/docs/clouds/ compiles and runs the examples without
 * plugins.
 */
const ofClouds = ["aws", "azure", "cloudflare", "google"];

/** `SPEC_SCALE=2` tries all other examples with two package managers. */
const tried: [string, PackageManager][] = isLongest
    ? names
          .filter((name) => !ofClouds.includes(name))
          .flatMap((name) => (["npm", "pnpm"] as const).map((manager): [string, PackageManager] => [name, manager]))
    : [["quickstart", "pnpm"]];

interface Manifest {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
}

/** Returns the example's files by path, without files that were installed in the checkout. */
function filesOf(name: string): Record<string, string> {
    const folder = join(examples, name);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .filter((path) => !path.startsWith("node_modules") && !/^Pulumi\..+\.yaml$/.test(path));
    return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

describe("A folder of examples/, copied out of the repository,", () => {
    it("contains exactly one program", () => {
        assert.ok(names.length >= 6, names.join());
    });

    for (const name of names) {
        it(`lists every package that its program imports, and explains how to run it: ${name}`, () => {
            const files = filesOf(name);
            const { dependencies } = JSON.parse(files["package.json"]!) as Manifest;
            const imported = [...files["index.ts"]!.matchAll(/from "((?:@[^/"]+\/)?[^/"]+)/g)].map(
                ([, found]) => found!,
            );
            assert.ok(imported.length > 0);
            assert.deepEqual(
                imported.filter((found) => !found.startsWith("node:") && !(found in dependencies)),
                [],
            );
            assert.match(files["Pulumi.yaml"] ?? "", /^runtime: nodejs$/m);
            assert.match(files["README.md"] ?? "", /^# /);
        });
    }

    for (const [name, manager] of tried) {
        it(`installs the packed package with ${manager}, compiles and runs a preview: ${name}`, async () => {
            const { provider } = await packPackages();
            const plugin = dirname(await ensureKubernetesProvider());
            const { "package.json": manifest, ...files } = filesOf(name);
            const { dependencies, ...rest } = JSON.parse(manifest!) as Manifest;
            const project = await InstalledProject.create({
                manager,
                manifest: { ...rest, dependencies: { ...dependencies, "pulumi-static-export": `file:${provider}` } },
                files,
            });
            try {
                await project.succeed("node", "node_modules/typescript/bin/tsc", "-p", ".");
                await project.pulumiSucceeds(["stack", "init", "dev"]);
                const { output } = await project.pulumiSucceeds(["preview"], {
                    PATH: [plugin, project.path].join(delimiter),
                });
                assert.match(output, /static-export:StaticExportBundle docs create/);
            } finally {
                await project.remove();
            }
        });
    }
});
