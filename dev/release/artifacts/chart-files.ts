import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { withOwner } from "../names/owner-names.js";

/** Files whose text may name the owner. */
const texts = /\.(?:ya?ml|json|md|txt|tpl)$/i;

/**
 * Copies a chart of the checkout, with the library to which it links. Leaves out other files in the chart's `charts`,
 * where `helm dependency build` and chart-testing save a copy of the library, which may be outdated.
 */
export function copyChart(chart: string, folder: string): void {
    const library = "static-export-common";
    const dependencies = join(chart, "charts");
    cpSync(chart, folder, { recursive: true, filter: (file) => file !== dependencies });
    cpSync(join(dirname(chart), library), join(folder, "charts", library), { recursive: true });
}

/** Writes a released chart's files with the owner's name and links to the release. */
export function finishChart(folder: string, chart: string, owner: string, version: string): void {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((each) => texts.test(each))) {
        const file = join(folder, name);
        const before = readFileSync(file, "utf8");
        const after = releasedChartText(posix.join("charts", chart, name), before, owner, version);
        if (after !== before) {
            writeFileSync(file, after);
        }
    }
}

/**
 * Returns the text of a chart's file in a release. Links of Markdown to files of the repository become addresses,
 * because registries show a chart's README without the repository.
 *
 * @param path - the file's path in the repository
 */
export function releasedChartText(path: string, text: string, owner: string, version: string): string {
    const repository = `https://github.com/${owner}/pulumi-static-export/blob/v${version}`;
    const [, chart] = path.split("/");
    const released = withOwner(text, owner)
        .replaceAll(`https://github.com/${owner}/pulumi-static-export/blob/main`, repository)
        // All charts of a release share one set of templates, and other charts may contain another version of the library.
        .replaceAll('"static-export-common.', `"${chart}.common.`)
        // The release contains the library. With an address, `helm dependency build` would look for it outside.
        .replace(/^ +repository: file:.*\n/m, "");
    return path.endsWith(".md")
        ? released.replace(/\]\((?![\w+.-]+:|[#?])([^)\s]+)\)/g, (_whole, link: string) => {
              return `](${repository}/${posix.join(posix.dirname(path), link)})`;
          })
        : released;
}
