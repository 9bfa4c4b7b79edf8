/**
 * npm run plugin -- FOLDER [--archives] [--platform PLATFORM]…: writes the plugin into a folder, for PATH or for
 * `pulumi plugin install … --file`; with `--archives` also archives with Node.js inside, and their checksums.
 */
import { copyFileSync, readFileSync } from "node:fs";
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
const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const bundle = await bundlePlugin(resolve(folder));
writeNotices({ ...bundle, artifact: "pulumi-resource-static-export", folder: resolve(folder) });
copyFileSync(new URL("../LICENSE", import.meta.url), join(resolve(folder), "LICENSE"));
console.log(`Wrote pulumi-resource-static-export to ${resolve(folder)}. Install it with`);
console.log(`  pulumi plugin install resource static-export ${version} --file ${folder}`);
if (values.archives) {
    await writeArchives(resolve(folder), version, values.platform);
}
