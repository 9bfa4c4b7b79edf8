import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { error, type Finding } from "./finding.js";

/**
 * Finds the files of a Pulumi program that Pulumi, or the package manager, cannot parse.
 *
 * @param settings - the program's Pulumi.yaml
 * @param folder - of the program's packages
 */
export function findDamagedFiles(settings: string, folder: string): Finding[] {
    const manifest = join(folder, "package.json");
    return (
        [
            [settings, findYamlProblem],
            [manifest, findJsonProblem],
        ] as const
    ).flatMap(([file, problemOf]) => {
        const problem = existsSync(file) ? problemOf(readFileSync(file, "utf8")) : undefined;
        return problem === undefined
            ? []
            : [error("program", `${file} cannot be read: ${problem}`, "Correct the file.")];
    });
}

function findYamlProblem(text: string): string | undefined {
    // Pulumi reads the first document.
    const problem = parseDocument(text).errors.find(({ code }) => code !== "MULTIPLE_DOCS");
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
