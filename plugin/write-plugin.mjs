/**
 * npm run plugin -- FOLDER [--archives [--platform PLATFORM]…]: writes the plugin into a folder, for PATH or for
 * `pulumi plugin install … --file`; with `--archives` also archives with Node.js inside, and their checksums. The
 * plugin's version comes from the file `version`; with RELEASE_OWNER, the plugin has the names of a release.
 */
import { copyFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildVersion } from "../dev/release/names/build-version.js";
import { requireOwner, withOwner } from "../dev/release/names/owner-names.js";
import { writeNotices } from "../dev/toolchain/third-party-notices.mjs";
import { bundlePlugin } from "./bundle-plugin.mjs";
import { platforms, writeArchives } from "./node-archives.mjs";

const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
        archives: { type: "boolean", default: false },
        platform: { type: "string", multiple: true },
    },
});
const [folder] = positionals;
const { archives, platform: wanted = platforms } = values;
const hasUnusedPlatform = values.platform !== undefined && !archives;
const isKnown = wanted.every((each) => platforms.includes(each));
if (folder === undefined || positionals.length > 1 || hasUnusedPlatform || !isKnown) {
    console.error("Usage: npm run plugin -- FOLDER [--archives [--platform PLATFORM]…]");
    console.error(`The platforms are ${platforms.join(", ")}. The default is all of them.`);
    process.exit(2);
}
const version = buildVersion();
const owner = process.env.RELEASE_OWNER === undefined ? undefined : requireOwner();
const finishSchema = owner === undefined ? undefined : (text) => withOwner(text, owner);
const bundle = await bundlePlugin(resolve(folder), version, finishSchema);
writeNotices({ ...bundle, artifact: "pulumi-resource-static-export", folder: resolve(folder) });
copyFileSync(new URL("../LICENSE", import.meta.url), join(resolve(folder), "LICENSE"));
console.log(`Wrote pulumi-resource-static-export to ${resolve(folder)}. Install it with`);
console.log(`  pulumi plugin install resource static-export ${version} --file ${folder}`);
if (archives) {
    await writeArchives(resolve(folder), version, wanted);
}
