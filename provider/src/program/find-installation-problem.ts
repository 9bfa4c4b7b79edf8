import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { version as sdkVersion } from "@pulumi/pulumi/version";
import { isOlder, minPulumiSdk } from "@pulumi-static-export/contract";
import { addCommand } from "@pulumi-static-export/contract/package-manager";
import { type OwnPackage, ownPackage, readOwnPackage } from "./own-package.js";

/** How this package was loaded. */
interface Installation {
    /** The version of yarn's Plug'n'Play that loaded this program. */
    plugAndPlay: string | undefined;
    /** The version of Bun that runs this program. */
    bun: string | undefined;
    /** Of `@pulumi/pulumi`. */
    sdkVersion: string;
    /** Undefined when a bundler has included this package in the program. */
    ownPackage: OwnPackage | undefined;
}

/**
 * Returns why dynamic providers cannot load this package, or undefined. Pulumi itself would only report a missing
 * module, or a function that it cannot serialise.
 *
 * @param folder - the folder in which Pulumi runs the program; without it, the lookup of modules is not checked
 */
export function findInstallationProblem(
    folder: string | undefined = programFolder(),
    installation: Installation = {
        plugAndPlay: process.versions.pnp,
        bun: process.versions.bun,
        sdkVersion,
        ownPackage,
    },
): string | undefined {
    if (installation.bun !== undefined) {
        return (
            "Pulumi cannot serialise dynamic providers in Bun. Set `runtime: nodejs` in Pulumi.yaml, or use the plugin " +
            "`static-export`, whose package works in every runtime"
        );
    }
    if (installation.plugAndPlay !== undefined) {
        return (
            "Pulumi runs dynamic providers without yarn's Plug'n'Play and would not find pulumi-static-export. " +
            "Set `nodeLinker: node-modules` in .yarnrc.yml and run `yarn install`"
        );
    }
    if (installation.ownPackage === undefined) {
        return (
            "a bundler has included pulumi-static-export in the program, and Pulumi cannot serialise its providers " +
            "from there. Exclude it from the bundle (with esbuild: `--external:pulumi-static-export`) and leave it " +
            "installed next to the program"
        );
    }
    if (isOlder(installation.sdkVersion, minPulumiSdk)) {
        return (
            `pulumi-static-export needs @pulumi/pulumi ${minPulumiSdk} or later, but ${installation.sdkVersion} is ` +
            `installed. Run \`${addCommand(folder ?? process.cwd(), [`@pulumi/pulumi@^${minPulumiSdk}`])}\` in the ` +
            "folder of your Pulumi program"
        );
    }
    return folder === undefined ? undefined : findLookupProblem(folder, installation.ownPackage);
}

/**
 * Pulumi loads the provider of every resource from the program's folder, even if another package declares the resource.
 */
function findLookupProblem(folder: string, declaring: OwnPackage): string | undefined {
    const file = resolveLifecycle(folder);
    if (file === undefined) {
        return (
            `Pulumi looks for pulumi-static-export from the program's folder, ${folder}, and does not find it: only ` +
            "another package depends on it. Add it to the program's own dependencies (with pnpm, you can also set " +
            "`public-hoist-pattern[]=pulumi-static-export` in .npmrc), and install again"
        );
    }
    const installed = dirname(dirname(file));
    const found = installed === declaring.folder ? declaring : readOwnPackage(installed);
    return found !== undefined && isOlder(found.version, declaring.version)
        ? `this resource comes from pulumi-static-export ${declaring.version} in ${declaring.folder}, but Pulumi runs ` +
              `it with the older ${found.version} of the program's folder. Install ${declaring.version} or later in ` +
              "the program, too"
        : undefined;
}

/** Returns the real path of the file, because Node.js resolves symbolic links. */
function resolveLifecycle(folder: string): string | undefined {
    try {
        return createRequire(join(folder, "index.js")).resolve("pulumi-static-export/lifecycle");
    } catch {
        return undefined;
    }
}

/**
 * Returns the folder in which Pulumi runs this program and its providers; undefined in inline programs of the
 * Automation API and in specs with mocks, where providers may run elsewhere.
 */
export function programFolder(): string | undefined {
    const main = require.main?.filename ?? process.argv[1] ?? "";
    return /@pulumi[\\/]pulumi[\\/]cmd[\\/]run/.test(main) ? process.cwd() : undefined;
}
