import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** A package that a Pulumi program can resolve. */
interface InstalledPackage {
    folder: string;
    version: string;
    engines: { node?: string };
}

/** Returns the settings of the Pulumi program in a folder. */
export function findProjectFile(folder: string): string | undefined {
    return ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(folder, name)).find((file) => existsSync(file));
}

/** Resolves a package from a folder as Node.js does, without running the package's code. */
export function findPackage(cwd: string, name: string): InstalledPackage | undefined {
    for (let folder = realpathSync(cwd); ; folder = dirname(folder)) {
        const candidate = join(folder, "node_modules", name);
        const manifest = join(candidate, "package.json");
        if (existsSync(manifest)) {
            const { version = "?", engines = {} } = JSON.parse(
                readFileSync(manifest, "utf8"),
            ) as Partial<InstalledPackage>;
            return { folder: realpathSync(candidate), version, engines };
        }
        if (folder === dirname(folder)) {
            return undefined;
        }
    }
}

/**
 * The folder in which Pulumi runs a project's program: the folder that `main` in Pulumi.yaml names, or the folder of
 * the file that `main` names.
 */
export function programFolder(cwd: string, settings: string): string {
    const [, main] = /^main:\s*["']?([^"'#\s][^"'#\r\n]*)/m.exec(readFileSync(settings, "utf8")) ?? [];
    if (main === undefined) {
        return cwd;
    }
    const path = join(cwd, main);
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isDirectory() ? path : found?.isFile() ? dirname(path) : cwd;
}

/** The minimum version of a range such as `>=20.19`; undefined for other forms of ranges. */
export function minVersionOf(range: string | undefined): string | undefined {
    const [, version] = /^>=\s*v?(\d+(?:\.\d+)*)$/.exec(range?.trim() ?? "") ?? [];
    return version?.includes(".") ? version : version && `${version}.0`;
}
