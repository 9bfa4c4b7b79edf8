import { createReadStream } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { accessFile, beginningOf } from "@pulumi-static-export/contract";
import { BundleError } from "../errors/index.js";

const maxAccessBytes = 64 * 1024 * 1024;
const maxLineLength = 1024 * 1024;

/** The maximum number of lines in access.json; undefined means one line for each file. */
const form = ["{", '  "formatVersion": 1,', '  "files": {', undefined, "  }", "}"];
const [versionStep, filesStep, entryStep] = [1, 2, 3];
const noFiles = '  "files": {}';

const text = String.raw`"([^"\\\p{Cc}\p{Zl}\p{Zp}]+)"`;
const entry = new RegExp(String.raw`^ {4}${text}: (\[(?:${text}(?:, ${text})*)?\])(,?)$`, "u");

/** A file that only readers in certain groups may see; with no groups, every signed-in reader. */
interface PrivateFile {
    /** The path in the bundle. */
    file: string;
    groups: readonly string[];
    /** The line of access.json. */
    line: number;
}

/**
 * Yields the files of an unpacked bundle that only certain readers may see: those listed in its access.json. Reads
 * access.json line by line, and keeps only names of existing files in memory.
 *
 * @throws BundleError when access.json does not have the exact format that exporters write, or names a file that does
 * not exist: accepting it might show a private file to everybody
 */
export async function* readPrivateFiles(folder: string): AsyncGenerator<PrivateFile> {
    const path = join(folder, accessFile);
    const stats = await lstat(path).catch(ignoreMissing);
    if (stats === undefined) {
        return;
    }
    if (!stats.isFile() || stats.size > maxAccessBytes) {
        throw unusable("it is not a file, or is larger than 64 MiB");
    }
    let step = 0;
    let lineNumber = 0;
    const seen = new Set<string>();
    for await (const line of linesOf(path)) {
        lineNumber += 1;
        const refuse = (why: string) => unusable(`line ${lineNumber} ${why}`);
        const [found, file = "", groups = "[]"] = (step === entryStep ? entry.exec(line) : null) ?? [];
        if (found !== undefined) {
            if (seen.has(file)) {
                throw refuse("names a file again");
            }
            await assertIsFile(folder, file, refuse);
            seen.add(file);
            step += found.endsWith(",") ? 0 : 1;
            yield { file, groups: JSON.parse(groups) as string[], line: lineNumber };
        } else if (step === filesStep && line === noFiles) {
            step = form.length - 1;
        } else if (line === form[step]) {
            step += 1;
        } else {
            const isOtherVersion = step === versionStep && /^ {2}"formatVersion": \d+,$/.test(line);
            throw refuse(
                isOtherVersion
                    ? "has a format version other than 1: use a newer release of this package"
                    : "is not of the form that exporters write",
            );
        }
    }
    if (step !== form.length) {
        throw unusable("it is truncated");
    }
}

async function assertIsFile(folder: string, file: string, refuse: (why: string) => BundleError): Promise<void> {
    if (/\/\.?\.?\//.test(`/${file}/`)) {
        throw refuse("names no path of the bundle");
    }
    const stats = file === accessFile ? undefined : await lstat(join(folder, file)).catch(ignoreMissing);
    if (!stats?.isFile()) {
        throw refuse(`names a file that the bundle does not contain: ${beginningOf(file, 200)}`);
    }
}

/** Only a line feed ends a line. */
async function* linesOf(path: string): AsyncGenerator<string> {
    let rest = "";
    for await (const chunk of createReadStream(path, "utf8") as AsyncIterable<string>) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        if (rest.length > maxLineLength) {
            throw unusable(`it has a line of more than ${maxLineLength} characters`);
        }
        yield* lines;
    }
    if (rest !== "") {
        yield rest;
    }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
    if (!["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(error.code ?? "")) {
        throw error;
    }
}

function unusable(why: string): BundleError {
    return new BundleError("unusable-access", `access.json, which says who may read what, is not usable: ${why}`);
}
