import { beginningOf } from "@pulumi-static-export/contract";
import { resolveLinks } from "@pulumi-static-export/contract/resolve-links";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { trimTrailing } from "@pulumi-static-export/contract";
import type * as Re2 from "re2js";
import { lazyModule } from "../../text/lazy-module.js";
import { SiteError } from "../../problems/site-error.js";
import { decodeText, isDecodable } from "./decode-text.js";
import { placeOf } from "./mounted-files.js";
import { ignoreFile } from "./published-names.js";

const re2 = lazyModule<typeof Re2>("re2js");

const maxCharacters = 64_000;
const maxRules = 1000;

interface Rule {
    readonly pattern: Re2.RE2JS;
    readonly keeps: boolean;
    readonly onlyFolders: boolean;
}

/**
 * The files that `.mintignore` excludes from the export, in the syntax of `.gitignore`: the last matching rule counts,
 * and no rule can include a file below an excluded folder. Patterns always run in linear time.
 */
export class IgnoredFiles {
    readonly #rules: readonly Rule[];

    /** @throws SiteError if the text is too long to read, because an excluded file must never be published */
    constructor(text: string) {
        // Names are compared in the same Unicode form.
        const lines = text.normalize("NFC").split("\n");
        if (text.length > maxCharacters || lines.length > maxRules) {
            const reason = `the file has more than ${maxCharacters} characters or ${maxRules} lines: name folders instead`;
            throw new SiteError(ignoreFile, undefined, reason);
        }
        this.#rules = lines.flatMap((line, at) => ruleOf(line, at + 1));
    }

    /** @param root the site's folder @throws SiteError if the file exists and cannot be read */
    static of(root: string): IgnoredFiles {
        const path = join(root, ignoreFile);
        if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
            return new IgnoredFiles("");
        }
        const bytes = readOwnFile(path, root);
        if (bytes === undefined || !isDecodable(bytes)) {
            const cause = bytes === undefined ? "this is not a file of the site's folder" : "the file is not UTF-8";
            throw new SiteError(
                ignoreFile,
                undefined,
                `${cause}, so exports cannot leave out the files that it lists: replace it`,
            );
        }
        return new IgnoredFiles(decodeText(bytes));
    }

    /** @param file relative to the site's folder; call this for the file's folders first */
    has(file: string, isFolder: boolean): boolean {
        let isIgnored = false;
        const name = file.normalize("NFC");
        for (const { pattern, keeps, onlyFolders } of this.#rules) {
            if (keeps === isIgnored && (isFolder || !onlyFolders) && pattern.matches(name)) {
                isIgnored = !keeps;
            }
        }
        return isIgnored;
    }
}

/** Returns undefined for a link out of the site's folder, and for a file that cannot be read. */
function readOwnFile(path: string, root: string): Buffer | undefined {
    try {
        const realPath = resolveLinks(path);
        const isOwnFile = placeOf(realPath, root) === path && lstatSync(realPath).isFile();
        return isOwnFile ? readFileSync(realPath) : undefined;
    } catch {
        return undefined;
    }
}

function ruleOf(line: string, number: number): Rule[] {
    const bare = trimTrailing(line, " \t");
    const text = bare.endsWith("\\") ? line.slice(0, bare.length + 1) : bare;
    if (text === "" || text.startsWith("#")) {
        return [];
    }
    const keeps = text.startsWith("!");
    const glob = keeps ? text.slice(1) : text;
    const onlyFolders = glob.endsWith("/");
    const path = onlyFolders ? glob.slice(0, -1) : glob;
    if (path.match(part)?.some((piece) => separator.test(piece))) {
        const reason = "a backslash does not separate folders here: write / (and [*] for a star in a name)";
        throw new SiteError(ignoreFile, number, `${beginningOf(text, 60)}: ${reason}`);
    }
    const isAnchored = path.includes("/");
    const body = expressionOf(path.replace(/^\//, ""));
    try {
        return [{ pattern: re2().RE2JS.compile(isAnchored ? body : `(?:.*/)?${body}`), keeps, onlyFolders }];
    } catch {
        throw new SiteError(ignoreFile, number, `${beginningOf(text, 60)} is not a valid .gitignore pattern`);
    }
}

const wildcards: Readonly<Record<string, string>> = {
    "**/": "(?:.*/)?",
    "/**/": "/(?:.*/)?",
    "/**": "/.*",
    "?": "[^/]",
};
const part = /^\*\*\/|\/\*\*\/|\/\*\*$|\*+|\?|\[(!?[^\]/]{1,200})\]|\\(.)|[^*?[\\/]+|[\s\S]/g;
/** A backslash where no pattern needs one, as authors write paths on Windows. Git would find no such file. */
const separator = /^\\(?:[^ \t#!?[\]\\]|$)/;

function expressionOf(glob: string): string {
    return glob.replace(part, (piece: string, set?: string, text: string = piece) =>
        set === undefined
            ? (wildcards[piece] ?? (piece.startsWith("*") ? "[^/]*" : re2().RE2JS.quote(text)))
            : `[${set.replace(/^!/, "^").replace(/\\/g, "\\\\")}]`,
    );
}
