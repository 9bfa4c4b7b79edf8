import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** Where this package is installed, whatever links lead to it. */
const packageFolder = realpathSync(join(__dirname, "..", ".."));
const chartInPackage = ["charts", "documentation-site"];

/**
 * The path of the chart that comes with this package, for a `Release` of your own. It is relative to the program's
 * folder and the same on every machine, so that it shows no difference there.
 *
 * @param programFolder - where Pulumi resolves relative paths; an inline program of the Automation API gives its
 * `workDir` here
 */
export function documentationSiteChart(programFolder: string = process.cwd()): string {
    const installed = findInstalled(programFolder) ?? packageFolder;
    const path = relative(realpathSync(programFolder), join(installed, ...chartInPackage))
        .split(sep)
        .join("/");
    return path.startsWith(".") ? path : `./${path}`;
}

/** The place in `node_modules`: behind its link a package manager may have a folder that another machine has not. */
function findInstalled(programFolder: string): string | undefined {
    for (let folder = realpathSync(programFolder); ; folder = dirname(folder)) {
        const candidate = join(folder, "node_modules", "pulumi-static-export");
        if (existsSync(candidate) && realpathSync(candidate) === packageFolder) {
            return candidate;
        }
        if (folder === dirname(folder)) {
            return undefined;
        }
    }
}
