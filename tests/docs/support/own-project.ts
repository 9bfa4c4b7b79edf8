import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ensureKubernetesProvider, ensurePulumi, ensureTool, run } from "@pulumi-static-export/toolchain";
import { codeBlocks, ownProjectPage, root, type CodeBlock } from "./documents.js";
import { followBlocks } from "./follow-blocks.js";
import { Reader } from "./reader.js";

export type OwnLanguage = "typescript" | "yaml";

/** For each source of packages, a pattern that matches the commands that only this source needs. */
const sources = { clone: /^npm run pack\b/m, release: /^npm install @/m };

/** For each language of programs, a pattern that matches the commands that only this language needs. */
const programs = {
    typescript: /static-export init (?!.*--language)|^npm install \.\/pulumi-static-export-\[0-9\]/m,
    yaml: /static-export init .*--language yaml|^pulumi plugin install\b/m,
};

/** Returns the page's blocks for a reader with this source of packages and this language. */
export function ownProjectBlocks(source: keyof typeof sources, language: OwnLanguage): CodeBlock[] {
    const others = [
        source === "clone" ? sources.release : sources.clone,
        language === "yaml" ? programs.typescript : programs.yaml,
    ];
    return codeBlocks(ownProjectPage)
        .filter(({ text }) => !/ create site /.test(text))
        .filter(({ text }) => !others.some((other) => other.test(text)));
}

/** Splits the page's blocks before the block with this command. */
export function splitBefore(command: string, blocks: readonly CodeBlock[]): [CodeBlock[], CodeBlock[]] {
    const at = blocks.findIndex(({ text }) => text.split("\n").includes(command));
    return [blocks.slice(0, at), blocks.slice(at)];
}

/** The folder that `git clone` creates; some pages copy an example from it. */
const clone = "pulumi-static-export";

/** The packages and the plugin that the page's first two commands create in a clone. */
export class WrittenPackages {
    private constructor(private readonly folder: string) {}

    static async write(): Promise<WrittenPackages> {
        const folder = await mkdtemp(join(tmpdir(), "static-export-written-"));
        await run("npm", ["run", "pack", "--", "--pack-destination", folder], { cwd: root });
        await run("npm", ["run", "plugin", "--", join(folder, "static-export-plugin")], { cwd: root });
        return new WrittenPackages(folder);
    }

    /** Returns a reader with an empty home directory, in the folder of the clone. */
    async openReader(settings: NodeJS.ProcessEnv = {}, project = "my-project"): Promise<Reader> {
        const { env } = await ensurePulumi();
        const tools = await Promise.all([
            ensureTool("pulumi-language-yaml"),
            ensureTool("helm"),
            ensureKubernetesProvider(),
        ]);
        const reader = await Reader.openEmpty(project, {
            PATH: [dirname(process.execPath), ...tools.map((tool) => dirname(tool)), env["PATH"]].join(delimiter),
            // Uses the existing npm cache to save time; the registry contains the same packages.
            npm_config_cache: join(homedir(), ".npm"),
            ...settings,
        });
        await reader.follow(`mkdir -p ${project} ${clone}\ncd ${clone}\ncp -R '${join(root, "examples")}' .`);
        return reader;
    }

    /** Follows the page's blocks. */
    async follow(reader: Reader, blocks: readonly CodeBlock[]): Promise<void> {
        await followBlocks(reader, blocks, ({ text }) =>
            // A Pulumi CLI that was built with cgo finds ~ in /etc/passwd.
            text
                .replace(/^pulumi login --local$/m, 'pulumi login "file://$HOME"')
                .replace(/^npm run pack -- --pack-destination (.*)$/m, `mkdir -p $1\ncp '${this.folder}'/*.tgz $1`)
                .replace(/^npm run plugin -- (.*)$/m, `cp -R '${this.folder}/static-export-plugin' $1`),
        );
    }

    async remove(): Promise<void> {
        await rm(this.folder, { recursive: true, force: true });
    }
}
