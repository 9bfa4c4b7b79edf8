import { createRequire } from "node:module";
import { join } from "node:path";
import { programFolder } from "./program-folder.js";

/**
 * Why dynamic providers could not load this package, or undefined. Pulumi itself would only report a missing module.
 *
 * @param folder - where Pulumi runs the program; without it, the lookup is not checked
 * @param plugAndPlay - the version of yarn's Plug'n'Play that loaded this program
 */
export function findInstallationProblem(
    folder: string | undefined = programFolder(),
    plugAndPlay: string | undefined = process.versions.pnp,
): string | undefined {
    if (plugAndPlay !== undefined) {
        return (
            "Pulumi runs dynamic providers without yarn's Plug'n'Play and would not find pulumi-static-export. " +
            "Set `nodeLinker: node-modules` in .yarnrc.yml and run `yarn install`"
        );
    }
    if (folder === undefined || canResolve(folder)) {
        return undefined;
    }
    return (
        `Pulumi looks for pulumi-static-export from the program's folder, ${folder}, and does not find it: only ` +
        "another package depends on it. Add it to the program's own dependencies (with pnpm, you can also set " +
        "`public-hoist-pattern[]=pulumi-static-export` in .npmrc), and install again"
    );
}

function canResolve(folder: string): boolean {
    try {
        createRequire(join(folder, "index.js")).resolve("pulumi-static-export/lifecycle");
        return true;
    } catch {
        return false;
    }
}
