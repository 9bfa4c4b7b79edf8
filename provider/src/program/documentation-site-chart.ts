import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** Where this package is installed, with symbolic links resolved. */
const packageFolder = realpathSync(join(__dirname, "..", ".."));
const chartInPackage = ["charts", "documentation-site"];

/**
 * The path of this package's chart, for a `Release` of your own. It is relative to the program's folder and the same on
 * every machine, so that it causes no diff.
 *
 * @param programFolder - where Pulumi resolves relative paths; an inline program of the Automation API passes its
 * `workDir`
 */
export function documentationSiteChart(programFolder: string = process.cwd()): string {
    const installed = findInstalled(programFolder) ?? packageFolder;
    const path = relative(realpathSync(programFolder), join(installed, ...chartInPackage))
        .split(sep)
        .join("/");
    return path.startsWith(".") ? path : `./${path}`;
}

/**
 * The path in `node_modules`: the real path behind it may differ between machines, depending on the package manager.
 */
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
