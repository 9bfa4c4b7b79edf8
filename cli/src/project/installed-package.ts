import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** A package that a Pulumi program can resolve. */
interface InstalledPackage {
    folder: string;
    version: string;
    engines: { node?: string };
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
