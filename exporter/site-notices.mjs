/**
 * Writes the notices of an exported site, which must include the licences of third-party drawings, rules and scripts in
 * the site.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { assertAllowed, standardTexts } from "../dev/toolchain/third-party-notices.mjs";

const require = createRequire(import.meta.url);
const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));

/** An exported site contains parts of these packages. */
const parts = {
    "Drawings of icons": Object.keys(readJson(new URL("package.json", import.meta.url)).dependencies).filter((name) =>
        name.startsWith("@iconify-json/"),
    ),
    "Rules of utility classes": ["@unocss/preset-wind3"],
    "The script that draws diagrams": ["@mermaid-js/tiny"],
};

/** The authors of packages that do not name their authors. */
const furtherNotices = {
    "@iconify-json/lucide": "Some drawings are from Feather: Copyright (c) 2013-present Cole Bemis, MIT License.",
    "@mermaid-js/tiny": readFileSync(new URL("diagram-notices.txt", import.meta.url), "utf8").trim(),
};

/** @returns the text of the notices. @throws Error when a licence is missing or not allowed */
export function siteNotices() {
    const sections = Object.entries(parts).map(
        ([part, names]) => `${part}\n\n${names.map((name) => noticeOf(name)).join("\n\n")}\n`,
    );
    const head = "This site contains third-party work, under the licences below. None of it was changed.\n";
    return [head, ...sections].join(`\n${"-".repeat(80)}\n\n`);
}

function noticeOf(name) {
    const manifest = require.resolve(`${name}/package.json`);
    const { version, license, author } = readJson(manifest);
    assertAllowed(`${name} ${version}`, license);
    const info = join(dirname(manifest), "info.json");
    const set = existsSync(info) ? readJson(info) : undefined;
    const title =
        set === undefined
            ? `${name} ${version} (${license})`
            : `${set.name}, ${name} ${version}, by ${set.author.name} (${set.author.url}), ` +
              `${license}: ${set.license.url}`;
    const licenceFile = join(dirname(manifest), "LICENSE");
    const text = existsSync(licenceFile)
        ? readFileSync(licenceFile, "utf8")
        : `Copyright (c) ${set?.author.name ?? author}\n\n${standardTexts[license]}`;
    return [title, text.trim(), furtherNotices[name] ?? ""].filter((each) => each !== "").join("\n\n");
}
