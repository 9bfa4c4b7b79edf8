import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeText } from "@pulumi-static-export/exporter/decode-text";
import { findSite } from "../build/find-site.js";
import { describeMissingParser } from "../command-line/system-error.js";
import { error, type Finding, ok } from "./finding.js";

const check = "documentation";
/** Loads the Markdown parser, a native module. One that works is not worth a line. */
export async function checkParser(): Promise<Finding[]> {
    try {
        await import("@pulumi-static-export/exporter");
    } catch (problem) {
        const [reason = String(problem), fix = ""] = describeMissingParser(problem)?.split(": ") ?? [];
        return [error("Markdown parser", reason, `${fix.charAt(0).toUpperCase()}${fix.slice(1)}`)];
    }
    return [];
}

const settingsFiles = ["docs.json", "mint.json"];

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
