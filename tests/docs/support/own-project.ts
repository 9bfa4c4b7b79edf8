import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ensureKubernetesProvider, ensurePulumi, ensureTool, run } from "@pulumi-static-export/toolchain";
import { codeBlocks, ownProjectPage, root, type CodeBlock } from "./documents.js";
import { followBlocks } from "./follow-blocks.js";
import { Reader } from "./reader.js";

export type OwnLanguage = keyof typeof programs;

/** For each source of packages, a pattern that matches the commands that only this source needs. */
const sources = { clone: /^npm run pack\b/m, release: /^npm install @/m };

/** For each language of programs, a pattern that matches the commands that only this language needs. */
const programs = {
    typescript: /static-export init (?!.*--language)|^npm install \.\/pulumi-static-export-\[0-9\]/m,
    python: /static-export init .*--language python|^pulumi package add\b/m,
    yaml: /static-export init .*--language yaml|^pulumi plugin install\b(?![^]*^pulumi package add)/m,
};

/** Returns the page's blocks for a reader with this source of packages and this language. */
export function ownProjectBlocks(source: keyof typeof sources, language: OwnLanguage): CodeBlock[] {
    const others = [
        source === "clone" ? sources.release : sources.clone,
        ...Object.entries(programs).flatMap(([name, only]) => (name === language ? [] : [only])),
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
        await mkdir(join(folder, "generators"));
        const generator = await ensureTool("pulumi-sdk-generator");
        await symlink(generator, join(folder, "generators", "pulumi-language-python"));
        return new WrittenPackages(folder);
    }

    /** Returns a reader with an empty home directory, in the folder of the clone. */
    async openReader(settings: NodeJS.ProcessEnv = {}, project = "my-project"): Promise<Reader> {
        const { env } = await ensurePulumi();
        const tools = await Promise.all([
            ensureTool("pulumi-language-yaml"),
            ensureTool("pulumi-language-python"),
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
                .replace(/^npm run plugin -- (.*)$/m, `cp -R '${this.folder}/static-export-plugin' $1`)
                // The generator of the toolchain only writes the package. Pulumi's host then adds its path.
                .replace(
                    /^pulumi package add .*$/m,
                    `{ PATH='${this.folder}/generators':$PATH $& 2>&1 || true; } | grep 'SDK\\|Link not implemented'\n` +
                        "echo ./sdks/static-export >> requirements.txt",
                )
                // The host of the toolchain does not know the option for the folder of the environment.
                .replace(/^pulumi install$/m, '$&\nPATH="$PWD/bin:$PATH"'),
        );
    }

    async remove(): Promise<void> {
        await rm(this.folder, { recursive: true, force: true });
    }
}
