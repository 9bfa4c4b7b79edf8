import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "../../toolchain/src/cache/cache.js";
import { type Builder } from "./builders/builder.js";
import { hugoBuilder } from "./builders/hugo-builder.js";
import { runMeasured } from "./measured-process.js";
import { withProjectFolder } from "./builders/project-folder.js";

interface Peer {
    /** The folder in peers/ with the peer's project, without pages. */
    readonly project: string;
    readonly package: string;
    /** The production build command, inside node_modules. */
    readonly command: readonly [script: string, ...args: string[]];
    readonly pagesDir: string;
    readonly outDir: string;
    /** A shell command that runs after the build, in the project's folder. */
    readonly then?: { readonly what: string; readonly command: string };
    /** Whether the default configuration has a cache that makes the next build faster. */
    readonly hasCache: boolean;
}

const eleventy = {
    project: "eleventy",
    package: "@11ty/eleventy",
    command: ["@11ty/eleventy/cmd.cjs", "--quiet"],
    pagesDir: "pages",
    outDir: "_site",
    hasCache: false,
} satisfies Peer;

/** The builders that npm installs. */
const peers = {
    eleventy,
    "eleventy-complete": {
        ...eleventy,
        then: {
            what: "with Pagefind's search and an archive",
            command: "../node_modules/.bin/pagefind --site _site --quiet && tar -czf site.tar.gz -C _site .",
        },
    },
    vitepress: {
        project: "vitepress",
        package: "vitepress",
        command: ["vitepress/bin/vitepress.js", "build"],
        pagesDir: "pages",
        outDir: ".vitepress/dist",
        hasCache: false,
    },
    starlight: {
        project: "starlight",
        package: "@astrojs/starlight",
        command: ["astro/astro.js", "build"],
        pagesDir: "src/content/docs",
        outDir: "dist",
        hasCache: true,
    },
    docusaurus: {
        project: "docusaurus",
        package: "@docusaurus/core",
        command: ["@docusaurus/core/bin/docusaurus.mjs", "build"],
        pagesDir: "pages",
        outDir: "build",
        hasCache: true,
    },
} satisfies Record<string, Peer>;

type PackageName = keyof typeof peers;
export type PeerName = PackageName | "hugo";

export const peerNames: readonly PeerName[] = ["hugo", ...(Object.keys(peers) as PackageName[])];

export async function peerBuilder(name: PeerName): Promise<Builder> {
    return name === "hugo" ? hugoBuilder() : packageBuilder(name);
}

/** A peer that npm has installed, with the template of its project. */
export interface InstalledPeer extends Peer {
    readonly template: string;
    /** The folder that contains the peer's node_modules. */
    readonly installed: string;
    readonly version: string;
}

/** Installs a peer unless an earlier run has done so. */
export async function installPeer(name: PackageName): Promise<InstalledPeer> {
    const peer: Peer = peers[name];
    const template = fileURLToPath(new URL(`peers/${peer.project}`, import.meta.url));
    const { dependencies } = JSON.parse(await readManifest(template)) as { dependencies: Record<string, string> };
    const version = `${peer.project} ${dependencies[peer.package]}`;
    return { ...peer, template, installed: await installTemplate(template), version };
}

async function packageBuilder(name: PackageName): Promise<Builder> {
    const { template, installed, version, ...peer } = await installPeer(name);
    const [script, ...options] = peer.command;
    const args = [join(installed, "node_modules", script), ...options];
    const command =
        peer.then === undefined
            ? { args }
            : { program: "/bin/sh", args: ["-c", `"$0" "$@" && ${peer.then.command}`, process.execPath, ...args] };
    return {
        name: peer.then === undefined ? version : `${version}, ${peer.then.what}`,
        later: peer.hasCache ? ["one page changed"] : [],
        withProject(corpus, use) {
            // The project is next to node_modules, so that Node.js finds the packages; the peer's cache stays in the
            // project.
            const place = { prefix: join(installed, "site-"), template, pages: peer.pagesDir };
            return withProjectFolder(place, corpus, (folder, pagesDir) =>
                use({
                    pagesDir,
                    async build() {
                        const usage = await runMeasured({ ...command, cwd: folder });
                        return { usage, outDir: join(folder, peer.outDir) };
                    },
                }),
            );
        },
    };
}

const readManifest = (template: string) => readFile(join(template, "package.json"), "utf8");

/**
 * Installs the packages of a folder's package.json unless an earlier run has done so. Installs the packages outside the
 * repository, because the peers are not in the repository's lock file.
 */
export async function installTemplate(template: string): Promise<string> {
    const manifest = await readManifest(template);
    const hash = createHash("sha256").update(manifest).digest("hex").slice(0, 12);
    const parent = join(cacheFolder(), "bench-site");
    const folder = join(parent, hash);
    if (existsSync(folder)) {
        return folder;
    }
    await mkdir(parent, { recursive: true });
    const unfinished = await mkdtemp(join(parent, "unfinished-"));
    try {
        await cp(join(template, "package.json"), join(unfinished, "package.json"));
        const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
        const { status } = spawnSync("npm", args, { cwd: unfinished, stdio: "inherit" });
        if (status !== 0) {
            throw new Error(`npm could not install what ${template}/package.json names; see its messages above.`);
        }
        await rename(unfinished, folder);
    } finally {
        await rm(unfinished, { recursive: true, force: true });
    }
    return folder;
}
