import assert from "node:assert/strict";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { basename, delimiter, join } from "node:path";
import { codeBlocks } from "../../docs/support/documents.js";
import { quoteWord } from "../../../contract/src/shell-words.js";
import { kubernetesProviderFolder } from "../../support/kubernetes-provider.js";
import { InstalledProject } from "./support/installed-project.js";
import { managerCommand } from "./support/package-managers.js";
import { packPackages } from "./support/packed-packages.js";

const managers = [
    ["npm", "npm"],
    ["pnpm", "pnpm"],
    ["pnpm 12", "pnpm"],
    ["yarn 1", "yarn"],
    ["yarn 4", "yarn"],
] as const;

describe("README's three steps in a Pulumi project", function () {
    this.timeout(10 * 60_000);
    const blocks = codeBlocks("README.md");
    const install = blocks.find(({ text }) => /^npm install \.\//.test(text))?.text ?? "";
    const program = blocks.find(({ language }) => language === "ts")?.text ?? "";
    const settings = blocks.find(({ text }) => /^pulumi config set/.test(text))?.text ?? "";

    for (const [manager, name] of managers) {
        it(`lead to a preview with ${manager}`, async () => {
            const { provider } = await packPackages();
            const project = await InstalledProject.create({
                manager,
                manifest: { main: "index.ts", dependencies: { "@pulumi/pulumi": "3.270.0", typescript: "5.9.3" } },
                files: {},
            });
            try {
                const programs = join(project.folder, ".programs");
                await mkdir(programs);
                const { install: command } = await managerCommand(manager);
                // npm's own options follow its command.
                const words = command
                    .slice(0, name === "npm" ? 1 : -1)
                    .map(quoteWord)
                    .join(" ");
                await writeFile(join(programs, name), `#!/bin/sh\nPATH="\${PATH#*:}" exec ${words} "$@"\n`, {
                    mode: 0o755,
                });
                const path = [programs, await kubernetesProviderFolder(), project.path].join(delimiter);
                const type = async (commands: string): Promise<string> => {
                    const { exitCode, output } = await project.run("bash", ["-ec", commands], { PATH: path });
                    assert.equal(exitCode, 0, output);
                    return output;
                };
                await copyFile(provider, join(project.folder, basename(provider)));
                const typed = install.split(/(?<!\\)\n/).find((line) => line.startsWith(`${name} `)) ?? "";
                await type(typed);
                await project.write({ "index.ts": program });
                await type("pulumi stack init dev");
                // The second command asks for the key.
                const output = await type(settings.replace(/(--secret \S+)$/m, "$1 a-key"));
                assert.match(output, /\+ \d+ to create/);
            } finally {
                await project.remove();
            }
        });
    }
});
