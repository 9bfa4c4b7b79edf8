import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { accessFile } from "@pulumi-static-export/contract";
import { readPrivateFiles } from "../bundle/private-files.js";
import { BundleError } from "../errors/index.js";
import { PodError } from "./pod-error.js";

/** nginx.conf has this many maps. */
const maxLists = 64;
/** Each is a regular expression that nginx compares with a reader's groups. */
const maxGroups = 2000;
/** nginx refuses a parameter of 4096 bytes. */
const maxGroupBytes = 500;

/**
 * Moves private files from the site into one folder of `work/private` for each list of groups, so that nginx's public
 * root contains nothing to protect. Writes the lists to `work/access`, as entries for maps of nginx.conf, and moves
 * access.json there, where the answer container reads it.
 *
 * @param separator - separates a reader's groups in the map's variable; empty if the site does not identify readers
 * @returns how many files are private
 * @throws BundleError when access.json is not of the form that exporters write, which might give everybody access
 */
export async function splitPrivateFiles(site: string, work: string, separator: string): Promise<number> {
    const access = join(work, "access");
    mkdirSync(access);
    if (!existsSync(join(site, accessFile))) {
        return 0;
    }
    let count = 0;
    const lists = new GroupLists(separator);
    const folders = new Set<string>();
    for await (const { file, groups, line } of readPrivateFiles(site)) {
        if (separator === "") {
            throw new PodError(
                "The bundle has files that only some readers may read, but this site does not identify readers.",
                "Set access.header or access.oidc, or export without these pages.",
            );
        }
        const target = join(work, "private", `${lists.numberOf(groups, line)}`, file);
        if (!folders.has(dirname(target))) {
            mkdirSync(dirname(target), { recursive: true });
            folders.add(dirname(target));
        }
        renameSync(join(site, file), target);
        count += 1;
    }
    renameSync(join(site, accessFile), join(access, accessFile));
    for (const [number, map] of lists.maps.entries()) {
        writeFileSync(join(access, `${number}.map`), map);
    }
    return count;
}

/** Numbers the different lists of groups, and writes each as a map of nginx.conf. */
class GroupLists {
    /** Entries for nginx, written from parsed names: no text of the bundle becomes configuration. */
    readonly maps: string[] = [];
    readonly #separator: string;
    readonly #numbers = new Map<string, number>();
    #groupCount = 0;

    constructor(separator: string) {
        this.#separator = separator;
    }

    numberOf(groups: readonly string[], line: number): number {
        const key = JSON.stringify(groups);
        const known = this.#numbers.get(key);
        if (known !== undefined) {
            return known;
        }
        const number = this.maps.length;
        if (number >= maxLists) {
            throw unusable(line, `begins list ${maxLists + 1} of groups: pods accept ${maxLists} different ones`);
        }
        for (const group of groups) {
            this.#check(group, line);
        }
        const around = escape(this.#separator);
        const patterns = groups.length === 0 ? [`^${around}`] : groups.map((group) => around + escape(group) + around);
        this.maps.push(patterns.map((pattern) => `"~${pattern}" ${number};\n`).join(""));
        this.#numbers.set(key, number);
        return number;
    }

    #check(group: string, line: number): void {
        if (Buffer.byteLength(group) > maxGroupBytes) {
            throw unusable(line, `names a group of more than ${maxGroupBytes} bytes`);
        }
        if (group.startsWith(" ") || group.endsWith(" ")) {
            throw unusable(line, "names a group that begins or ends with a space");
        }
        if (group.includes(this.#separator)) {
            throw unusable(line, `names a group that contains the separator of groups ("${this.#separator}")`);
        }
        this.#groupCount += 1;
        if (this.#groupCount > maxGroups) {
            throw unusable(line, `exceeds the ${maxGroups} groups that pods accept`);
        }
    }
}

/** Letters, digits and characters beyond ASCII match themselves; every other character needs a backslash. */
function escape(text: string): string {
    return text.replace(/[ -~]/g, (character) => (/\w/.test(character) ? character : `\\${character}`));
}

function unusable(line: number, why: string): BundleError {
    const what = `access.json, which says who may read what, is not usable: line ${line} ${why}`;
    return new BundleError("unusable-access", what);
}
