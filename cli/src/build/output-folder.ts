import { accessFile, bundleFactsFile, isRecord, replacingFile } from "@pulumi-static-export/contract";
import { replaceFile, type ReplaceOptions } from "@pulumi-static-export/contract/replace-file";
import { isWithin, realPlace } from "@pulumi-static-export/exporter/is-within";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { UsageError } from "../command-line/usage-error.js";
import { assertSavable } from "../export/save-bundle.js";

/**
 * Refuses a folder that contains something else than an earlier build, whose record counts its files.
 *
 * @param force - whether to replace other content, too
 * @throws UsageError
 */
export function assertReplaceable(output: string, sourceDir: string, force: boolean): void {
    if (resolve(output) === dirname(resolve(output))) {
        // Builds are written next to the folder that they replace.
        throw new UsageError(`${output} is a whole disk: choose a folder on it as --output.`);
    }
    const files = lstatSync(output, { throwIfNoEntry: false })?.isDirectory() === true ? filesIn(output) : [];
    if (files.length === 0) {
        assertSavable({ output });
        return;
    }
    const place = realPlace(resolve(output));
    const held = [sourceDir, process.cwd()].find((folder) => isWithin(place, realPlace(resolve(folder))));
    if (held !== undefined) {
        throw new UsageError(`${output} contains ${held}: choose another --output.`);
    }
    if (force) {
        return;
    }
    const recorded = recordedFiles(output);
    if (recorded === undefined) {
        throw new UsageError(
            `The folder ${output} is not empty, and no build wrote it: choose another --output, or replace everything ` +
                "in it with --force.",
        );
    }
    if (recorded !== files.length) {
        throw new UsageError(
            `The folder ${output} has ${files.length} files, but the build that wrote it had ${recorded}: choose ` +
                "another --output, or replace everything in it with --force.",
        );
    }
}

/** Records how many files a build consists of, so that the next build may replace them. */
export async function recordFiles(site: string): Promise<void> {
    const path = join(site, bundleFactsFile);
    const facts = JSON.parse(await readFile(path, "utf8")) as object;
    const record = { ...facts, files: filesIn(site).length };
    await writeFile(path, `${JSON.stringify(record, undefined, 2)}\n`);
}

/**
 * Moves a site to its place. Files that are the same stay untouched, and everything else in the folder is removed. A
 * server that reads access.json for each request never shows a private page to everybody: a file whose readers change
 * is missing while access.json is replaced. A server that caches rules sees `replacingFile` until all files are moved.
 */
export async function moveSite(site: string, output: string, options: ReplaceOptions = {}): Promise<void> {
    const earlier = new Set(existsSync(output) ? filesIn(output) : []);
    if (earlier.size === 0) {
        await rm(output, { recursive: true, force: true });
        await replaceFile(site, output, options);
        return;
    }
    const files = filesIn(site);
    const isNew = new Set<string>();
    for (const file of files) {
        if (!earlier.has(file) || !(await areSame(join(site, file), join(output, file)))) {
            isNew.add(file);
        }
    }
    const wanted = new Set(files);
    const changesReaders = compareReaders(output, site);
    const isGone = (file: string) => !wanted.has(file) || changesReaders(file.replaceAll(sep, "/"));
    const gone = [...earlier].filter((file) => file !== accessFile && isGone(file));
    const place = (file: string) => join(output, file);
    await mkdir(dirname(place(replacingFile)), { recursive: true });
    await writeFile(place(replacingFile), "");
    for (const file of gone) {
        await rm(place(file));
        await removeEmpty(output, dirname(file));
    }
    if (!wanted.has(accessFile)) {
        await rm(place(accessFile), { force: true });
    }
    const facts = join(bundleFactsFile);
    const moved = new Set([accessFile, ...isNew, ...gone].filter((file) => wanted.has(file) && file !== facts));
    // The facts are always replaced, so that every version of the site has other facts.
    for (const file of [...moved, facts]) {
        await mkdir(dirname(place(file)), { recursive: true });
        await replaceFile(join(site, file), place(file), options);
    }
    await rm(place(replacingFile), { force: true });
}

/** Returns whether a file has other readers in another version of the site. */
function compareReaders(one: string, other: string): (file: string) => boolean {
    const [before, after] = [readersIn(one), readersIn(other)];
    return before === undefined || after === undefined
        ? () => true
        : (file) => JSON.stringify(before[file]) !== JSON.stringify(after[file]);
}

/** The readers of private files; undefined if they are unknown. */
function readersIn(folder: string): Readonly<Record<string, unknown>> | undefined {
    try {
        const rules: unknown = JSON.parse(readFileSync(join(folder, accessFile), "utf8"));
        return isRecord(rules) && isRecord(rules["files"]) ? rules["files"] : undefined;
    } catch (error) {
        return (error as NodeJS.ErrnoException).code === "ENOENT" ? {} : undefined;
    }
}

async function areSame(one: string, other: string): Promise<boolean> {
    const [{ size }, { size: otherSize }] = await Promise.all([stat(one), stat(other)]);
    return size === otherSize && (await readFile(one)).equals(await readFile(other));
}

async function removeEmpty(root: string, folder: string): Promise<void> {
    for (let each = folder; each !== "."; each = dirname(each)) {
        try {
            await rmdir(join(root, each));
        } catch {
            return;
        }
    }
}

/** The paths of all files and links, relative to a folder. */
function filesIn(folder: string): string[] {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function recordedFiles(folder: string): number | undefined {
    try {
        const facts: unknown = JSON.parse(readFileSync(join(folder, bundleFactsFile), "utf8"));
        return isRecord(facts) && typeof facts["files"] === "number" ? facts["files"] : undefined;
    } catch {
        return undefined;
    }
}
