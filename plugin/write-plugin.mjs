/**
 * npm run plugin -- FOLDER [--archives]: writes the plugin into a folder, which is enough on PATH, and which
 * `pulumi package add` takes; with `--archives` also the archives that `pulumi plugin install … --file` takes, and their checksums.
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { bundlePlugin, pluginFiles } from "./bundle-plugin.mjs";

/** Windows is missing: Pulumi looks there for an .exe in an archive. */
const platforms = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64"];

const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { archives: { type: "boolean", default: false } },
});
const [folder] = positionals;
if (folder === undefined || positionals.length > 1) {
    console.error("Usage: npm run plugin -- FOLDER [--archives]");
    process.exit(2);
}
const { version, devDependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
await bundlePlugin(resolve(folder));
writePluginProject(resolve(folder));
console.log(`Wrote pulumi-resource-static-export to ${resolve(folder)}. Put this folder on PATH.`);
if (values.archives) {
    await writeArchives(resolve(folder));
}

/** By these Pulumi starts the folder itself. Not in the archives: those would be installed by npm, then. */
function writePluginProject(target) {
    writeFileSync(join(target, "PulumiPlugin.yaml"), "name: static-export\nruntime: nodejs\n");
    const project = {
        name: "pulumi-resource-static-export",
        version,
        private: true,
        main: "pulumi-resource-static-export.cjs",
        // Pulumi's Node.js host starts a plugin by a script of this package.
        dependencies: { "@pulumi/pulumi": devDependencies["@pulumi/pulumi"] },
    };
    writeFileSync(join(target, "package.json"), `${JSON.stringify(project, undefined, 2)}\n`);
}

async function writeArchives(target) {
    const archive = await archiveOf(target);
    const digest = createHash("sha256").update(archive).digest("hex");
    const names = platforms.map((platform) => `pulumi-resource-static-export-v${version}-${platform}.tar.gz`);
    for (const name of names) {
        writeFileSync(join(target, name), archive);
        console.log(`Wrote ${name}.`);
    }
    // As sha256sum reads it.
    writeFileSync(join(target, "SHA256SUMS"), names.map((name) => `${digest}  ${name}\n`).join(""));
}

/** The same bytes for the same files. */
async function archiveOf(target) {
    const tar = pack();
    for (const { name, mode } of pluginFiles) {
        tar.entry({ name, mode, mtime: new Date(0) }, readFileSync(join(target, name)));
    }
    tar.finalize();
    const chunks = [];
    for await (const chunk of tar) {
        chunks.push(chunk);
    }
    return gzipSync(Buffer.concat(chunks), { level: 9 });
}
