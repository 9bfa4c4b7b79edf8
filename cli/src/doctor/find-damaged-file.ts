import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { error, type Finding } from "./finding.js";

/**
 * Finds a file of a Pulumi program that Pulumi, or the package manager, cannot parse.
 *
 * @param settings - the program's Pulumi.yaml
 * @param folder - of the program's packages
 */
export function findDamagedFile(settings: string, folder: string): Finding | undefined {
    const manifest = join(folder, "package.json");
    for (const [file, problemOf] of [
        [settings, findYamlProblem],
        [manifest, findJsonProblem],
    ] as const) {
        const problem = existsSync(file) ? problemOf(readFileSync(file, "utf8")) : undefined;
        if (problem !== undefined) {
            return error("program", `${file} cannot be read: ${problem}`, "Correct the file.");
        }
    }
    return undefined;
}

function findYamlProblem(text: string): string | undefined {
    const [problem] = parseDocument(text).errors;
    // The following lines quote the file.
    return problem?.message.split("\n", 1)[0]?.replace(/:$/, "");
}

function findJsonProblem(text: string): string | undefined {
    try {
        JSON.parse(text.replace(/^\uFEFF/, ""));
        return undefined;
    } catch (problem) {
        return (problem as Error).message;
    }
}
