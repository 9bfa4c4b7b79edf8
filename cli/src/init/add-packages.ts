import { addCommand, findPlugAndPlay } from "@pulumi-static-export/contract/package-manager";
import { UsageError } from "../command-line/usage-error.js";

/**
 * Returns the command that adds packages to a project, if there are any.
 * @throws UsageError if the packages would not be in `node_modules`, where `npx` finds commands
 */
export function addPackages(folder: string, packages: readonly string[], isDev = false): string[] {
    if (packages.length === 0) {
        return [];
    }
    const place = findPlugAndPlay(folder);
    if (place !== undefined) {
        throw new UsageError(
            `Yarn Plug'n'Play in ${place} does not support this command: write nodeLinker: node-modules into ` +
                ".yarnrc.yml, or choose a folder outside of that project.",
        );
    }
    return [addCommand(folder, packages, isDev)];
}
