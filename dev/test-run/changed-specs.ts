import { posix } from "node:path";
import { isInTest } from "./groups.js";

const isSpec = (file: string) => file.endsWith(".spec.ts");
const isCode = (file: string) => /\.[cm]?[jt]s$/.test(file);

/**
 * Finds the specs to run after a change: those that changed, those whose name or folder mirrors a changed file, and
 * those that import a changed file, also through other files. Of the long specs, only those that import a changed file
 * directly run. Of those that import it through others, the nearest ones run: a file of the exporter is a part of
 * almost everything.
 *
 * @param files - all files of the checkout
 * @param read - returns a file's text
 */
export function specsOfChanges(
    changed: readonly string[],
    files: readonly string[],
    read: (file: string) => string,
    maxIndirect = 60,
): { specs: string[]; leftOut: string[] } {
    const importers = importersOf(files.filter(isCode), read);
    const direct = new Set(changed.flatMap((file) => [file, ...(importers.get(file) ?? []), ...mirrors(file, files)]));
    const reached = new Set<string>(changed);
    // The loop also visits the files that it adds.
    for (const file of reached) {
        importers.get(file)?.forEach((importer) => reached.add(importer));
    }
    // The set has the files in the order of their distance.
    const indirect = [...reached].filter((file) => isSpec(file) && !direct.has(file) && isInTest(file));
    const nearest = new Set(indirect.slice(0, maxIndirect));
    return {
        specs: files.filter((file) => isSpec(file) && (direct.has(file) || nearest.has(file))),
        leftOut: indirect.slice(maxIndirect),
    };
}

/** Returns the files that import each file. Programs in strings count too, because specs run them. */
function importersOf(files: readonly string[], read: (file: string) => string): Map<string, Set<string>> {
    const existing = new Set(files);
    const packages = findPackages(files, read);
    const importers = new Map<string, Set<string>>();
    for (const file of files) {
        for (const [, name = ""] of read(file).matchAll(/(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*"([^"\n]+)"/g)) {
            const target = name.startsWith(".") ? posix.join(posix.dirname(file), name) : packages.get(name);
            const found = [target, target?.replace(/\.([cm]?)js$/, ".$1ts")].find(
                (path) => path !== undefined && existing.has(path),
            );
            if (found !== undefined) {
                importers.set(found, (importers.get(found) ?? new Set()).add(file));
            }
        }
    }
    return importers;
}

/** The folders of the packages that others import; the source of an entry has the same name as the compiled file. */
const packageFolders = ["contract", "sdk", "provider", "policy", "exporter", "answer", "service", "cli"].concat([
    "dev/toolchain",
    "dev/cluster",
]);

interface Manifest {
    name: string;
    exports?: Record<string, string | { default: string }>;
}

/** Returns the source of each entry of this project's packages, by the name in an import. */
function findPackages(files: readonly string[], read: (file: string) => string): Map<string, string> {
    const entries = new Map<string, string>();
    for (const folder of packageFolders.filter((each) => files.includes(`${each}/src/index.ts`))) {
        const { name, exports = {} } = JSON.parse(read(`${folder}/package.json`)) as Manifest;
        for (const [path, target] of Object.entries(exports)) {
            const compiled = typeof target === "string" ? target : target.default;
            entries.set(posix.join(name, path), posix.join(folder, compiled.replace("/dist/", "/src/")));
        }
    }
    return entries;
}

/**
 * Returns the specs that mirror a file: those with the name of a code file, and for another file those of the nearest
 * folder with specs.
 */
function mirrors(file: string, files: readonly string[]): string[] {
    const mirrored = `tests/${file.replace(/^(\w+)\/(src|theme)\//, "$1/")}`;
    const startingWith = (start: string) => files.filter((each) => isSpec(each) && each.startsWith(start));
    if (isCode(file)) {
        return startingWith(mirrored.replace(/\.[cm]?[jt]s$/, "."));
    }
    for (let folder = posix.dirname(mirrored); folder.includes("/"); folder = posix.dirname(folder)) {
        const specs = startingWith(`${folder}/`);
        if (specs.length > 0) {
            return specs;
        }
    }
    return [];
}
