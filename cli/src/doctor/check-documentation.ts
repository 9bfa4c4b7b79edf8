import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LiveSiteProcess } from "@pulumi-static-export/exporter";
import { decodeText } from "@pulumi-static-export/exporter/decode-text";
import { findSite, isUnbuilt } from "../build/find-site.js";
import { pageLimits } from "../build/page-limits.js";
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
export async function checkDocumentation(cwd: string): Promise<Finding[]> {
    const site = findSite(cwd);
    if (site === undefined) {
        return [];
    }
    const finding = checkSettings(cwd, site);
    const problem = finding.status === "ok" ? await findProblem(join(cwd, site)) : undefined;
    return problem === undefined
        ? [finding]
        : [
              error(
                  check,
                  `${site} cannot be built: ${problem}`,
                  `Correct it, and run static-export build ${site} again.`,
              ),
          ];
}

/** Plans a site of Markdown, as `build` does. @returns why it cannot be built */
async function findProblem(folder: string): Promise<string | undefined> {
    const names = readdirSync(folder);
    const isEmpty = names.every((name) => name.startsWith("."));
    const hasBuilder = names.some((name) => /^\.(?:static-export|readthedocs)\.ya?ml$/.test(name));
    if (hasBuilder || !(isEmpty || isUnbuilt(folder))) {
        return undefined;
    }
    let workDir: string | undefined;
    let site: LiveSiteProcess | undefined;
    try {
        workDir = await mkdtemp(join(tmpdir(), "static-export-doctor-"));
        const { LiveSiteProcess } = await import("@pulumi-static-export/exporter");
        site = new LiveSiteProcess(folder, workDir, pageLimits);
        return (await site.open()).problem;
    } catch (failure) {
        // Other checks report a missing parser, and a missing folder for temporary files.
        return site && (failure as Error).message;
    } finally {
        await site?.close();
        if (workDir !== undefined) {
            await rm(workDir, { recursive: true, force: true });
        }
    }
}

function checkSettings(cwd: string, site: string): Finding {
    for (const file of settingsFiles.map((name) => join(site, name))) {
        try {
            JSON.parse(decodeText(readFileSync(join(cwd, file))));
            return ok(check, file);
        } catch (problem) {
            const { code, message } = problem as NodeJS.ErrnoException;
            if (code !== "ENOENT") {
                const fix = `Correct the file: static-export build ${site} names the line.`;
                return error(check, `${file} cannot be read: ${message}`, fix);
            }
        }
    }
    return ok(check, `${site === "." ? "the pages in this folder" : site}, without docs.json`);
}
