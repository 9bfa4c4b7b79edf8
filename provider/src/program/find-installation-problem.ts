import { createRequire } from "node:module";
import { join } from "node:path";
import { programFolder } from "./program-folder.js";

/**
 * Why Pulumi would not find this package where it runs dynamic providers, or undefined. Pulumi itself would only say
 * that a module is missing.
 *
 * @param folder - where Pulumi runs the program; nothing is known without it
 * @param plugAndPlay - the version of yarn's Plug'n'Play that loads this program
 */
export function findInstallationProblem(
    folder: string | undefined = programFolder(),
    plugAndPlay: string | undefined = process.versions.pnp,
): string | undefined {
    if (plugAndPlay !== undefined) {
        return (
            "Pulumi runs dynamic providers without yarn's Plug'n'Play and would not find pulumi-static-export. " +
            "Write `nodeLinker: node-modules` into .yarnrc.yml, and run `yarn install`"
        );
    }
    if (folder === undefined || canResolve(folder)) {
        return undefined;
    }
    return (
        `Pulumi looks for pulumi-static-export from the program's folder, ${folder}, and does not find it there: it is ` +
        "installed for another package only. Add it to the dependencies of the program, too (pnpm: or write " +
        "`public-hoist-pattern[]=pulumi-static-export` into .npmrc), and install again"
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
