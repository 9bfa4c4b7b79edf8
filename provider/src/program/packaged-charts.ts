import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { ownPackage } from "./own-package.js";

const inNodeModules = ["node_modules", "pulumi-static-export"];

/**
 * The path of this package's chart, for your own `Release`. The path is relative to the program's folder. In an inline
 * program of the Automation API, pass its `workDir`.
 *
 * @param programFolder - where Pulumi resolves relative paths
 */
export function documentationSiteChart(programFolder?: string): string {
    return packagedChart("documentation-site", programFolder);
}

/** Returns the path of a chart of this package, like {@link documentationSiteChart}. */
export function packagedChart(chart: string, programFolder: string = process.cwd()): string {
    const installed = findInstalled(programFolder) ?? ownPackage?.folder ?? join(programFolder, ...inNodeModules);
    const path = relative(realpathSync(programFolder), join(installed, "charts", chart))
        .split(sep)
        .join("/");
    return path.startsWith(".") ? path : `./${path}`;
}

/**
 * Returns the path in `node_modules`: the real path behind it may differ between machines, depending on the package
 * manager.
 */
function findInstalled(programFolder: string): string | undefined {
    for (let folder = realpathSync(programFolder); ; folder = dirname(folder)) {
        const candidate = join(folder, ...inNodeModules);
        if (existsSync(candidate) && (ownPackage === undefined || realpathSync(candidate) === ownPackage.folder)) {
            return candidate;
        }
        if (folder === dirname(folder)) {
            return undefined;
        }
    }
}
