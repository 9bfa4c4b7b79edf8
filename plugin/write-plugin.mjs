/**
 * npm run plugin -- FOLDER [--archives] [--platform PLATFORM]…: writes the plugin into a folder, which is enough on PATH,
 * and which `pulumi package add` takes; with `--archives` also the archives with Node.js inside that
 * `pulumi plugin install … --file` takes, and their checksums.
 */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeNotices } from "../dev/toolchain/third-party-notices.mjs";
import { bundlePlugin } from "./bundle-plugin.mjs";
import { platforms, writeArchives } from "./node-archives.mjs";

const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
        archives: { type: "boolean", default: false },
        platform: { type: "string", multiple: true, default: platforms },
    },
});
const [folder] = positionals;
if (folder === undefined || positionals.length > 1 || values.platform.some((each) => !platforms.includes(each))) {
    console.error("Usage: npm run plugin -- FOLDER [--archives] [--platform PLATFORM]…");
    console.error(`The platforms are ${platforms.join(", ")}; without --platform, all of them.`);
    process.exit(2);
}
const { version, devDependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const bundle = await bundlePlugin(resolve(folder));
writeNotices({ ...bundle, artifact: "pulumi-resource-static-export", folder: resolve(folder) });
copyFileSync(new URL("../LICENSE", import.meta.url), join(resolve(folder), "LICENSE"));
writePluginProject(resolve(folder));
console.log(`Wrote pulumi-resource-static-export to ${resolve(folder)}. Put this folder on PATH.`);
if (values.archives) {
    await writeArchives(resolve(folder), version, values.platform);
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
