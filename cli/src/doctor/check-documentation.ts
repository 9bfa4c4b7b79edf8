import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeText } from "@pulumi-static-export/exporter/decode-text";
import { findSite } from "../build/find-site.js";
import { findMissingParser } from "../command-line/system-error.js";
import { asSentence, error, type Finding, ok } from "./finding.js";

const check = "documentation";
const settingsFiles = ["docs.json", "mint.json"];

/** Loads the Markdown parser, a native module. One that works is not worth a line. */
export async function checkParser(): Promise<Finding[]> {
    try {
        await import("@pulumi-static-export/exporter");
    } catch (problem) {
        const { fault, fix } = findMissingParser(problem) ?? { fault: String(problem), fix: "" };
        return [error("Markdown parser", fault, asSentence(fix))];
    }
    return [];
}

/** Checks the folder with a writer's pages. Without pages, returns no findings. */
export function checkDocumentation(cwd: string): Finding[] {
    const site = findSite(cwd);
    if (site === undefined) {
        return [];
    }
    for (const file of settingsFiles.map((name) => join(site, name))) {
        try {
            JSON.parse(decodeText(readFileSync(join(cwd, file))));
            return [ok(check, file)];
        } catch (problem) {
            const { code, message } = problem as NodeJS.ErrnoException;
            if (code !== "ENOENT") {
                const fix = `Correct the file: static-export build ${site} names the line.`;
                return [error(check, `${file} cannot be read: ${message}`, fix)];
            }
        }
    }
    return [ok(check, `${site === "." ? "the pages in this folder" : site}, without docs.json`)];
}
