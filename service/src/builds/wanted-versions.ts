import { lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord } from "@pulumi-static-export/contract";
import { decodeText } from "@pulumi-static-export/exporter";

/** Versions that a build wants, such as "22" or "3.12"; the first one is preferred. */
interface WantedVersions {
    readonly node: readonly string[];
    readonly python: readonly string[];
}

const maxBytes = 256 * 1024;

/** Versions of Node.js with long-term support, the preferred one first. */
const releases = [24, 22, 26, 20, 18, 16, 14, 12];
const releaseNames: Readonly<Record<string, number>> = {
    ...{ krypton: 24, jod: 22, iron: 20, hydrogen: 18, gallium: 16, fermium: 14, erbium: 12 },
};

/** The versions in the files of a repository, of the nearest folder from the base up to the root that has any. */
export function readWantedVersions(base: string, root: string): WantedVersions {
    let [node, python]: (readonly string[])[] = [[], []];
    for (let folder = base; ; folder = dirname(folder)) {
        const read = (name: string) => readText(join(folder, name));
        const tools = parseToolVersions(read(".tool-versions"));
        node = [
            node ?? [],
            parseNodeVersion(read(".nvmrc")),
            parseNodeVersion(read(".node-version")),
            parseNodeVersion(tools.get("nodejs") ?? tools.get("node") ?? ""),
            parseNodeRange(enginesOf(read("package.json"))),
        ].find((versions) => versions.length > 0);
        python = [
            python ?? [],
            parsePythonVersion(read(".python-version")),
            parsePythonVersion(tools.get("python") ?? ""),
        ].find((versions) => versions.length > 0);
        if (folder === root || folder === dirname(folder)) {
            return { node: node ?? [], python: python ?? [] };
        }
    }
}

/** The text of a small file that is not a link: a commit could link to any file of this machine. */
function readText(path: string): string {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true && stats.size <= maxBytes ? decodeText(readFileSync(path)) : "";
}

/** The first version of each tool in a file of asdf or mise. */
function parseToolVersions(text: string): Map<string, string> {
    const lines = text.split("\n").map((line) => line.replace(/#.*/, "").trim().split(/\s+/));
    return new Map(lines.flatMap(([tool = "", version = ""]) => (version === "" ? [] : [[tool, version] as const])));
}

function parseNodeVersion(text: string): string[] {
    const version = firstLine(text)
        .replace(/^(?:node-?)?v(?=\d)/, "")
        .toLowerCase();
    if (/^\d{1,3}(?:\.\d{1,4}){0,2}$/.test(version)) {
        return [version];
    }
    const named = releaseNames[version.replace(/^lts\//, "")];
    const isAny = ["lts/*", "lts", "node", "stable", "latest"].includes(version);
    return named !== undefined ? [String(named)] : isAny ? releases.slice(0, 2).map(String) : [];
}

function enginesOf(text: string): string {
    try {
        const settings: unknown = JSON.parse(text);
        const engines = isRecord(settings) && isRecord(settings["engines"]) ? settings["engines"] : {};
        return typeof engines["node"] === "string" ? engines["node"] : "";
    } catch {
        // Package managers report unreadable files.
        return "";
    }
}

/** The releases that a range such as `^20.9 || >=22` contains. */
function parseNodeRange(range: string): string[] {
    const exact = parseNodeVersion(range);
    if (exact.length > 0 || range.trim() === "") {
        return exact;
    }
    const alternatives = range.slice(0, 200).split("||");
    return releases.filter((release) => alternatives.some((each) => hasRelease(each, release))).map(String);
}

function hasRelease(range: string, release: number): boolean {
    const [, from, to] = /^\s*v?(\d+)(?:\.\S*)?\s+-\s+v?(\d+)(?:\.\S*)?\s*$/.exec(range) ?? [];
    if (from !== undefined) {
        return release >= Number(from) && release <= Number(to);
    }
    const comparators = [...range.matchAll(/([<>]=?|[\^~=])?\s*v?(\d+)(\.\S*)?/g)];
    return (
        comparators.length > 0 &&
        comparators.every(([, operator = "", major, rest = ""]) => {
            const limit = Number(major);
            if (operator.startsWith(">")) {
                return release >= limit;
            }
            if (operator.startsWith("<")) {
                return release < limit || (release === limit && (operator === "<=" || /[1-9]/.test(rest)));
            }
            return release === limit;
        })
    );
}

/** Versions of Python without the last part, because machines have one version of each. */
function parsePythonVersion(text: string): string[] {
    const [, version] = /^(?:cpython[@-])?(\d{1,2}(?:\.\d{1,3})?)(?:\.\d+)?$/.exec(firstLine(text)) ?? [];
    return version === undefined ? [] : [version];
}

function firstLine(text: string): string {
    return (
        text
            .split("\n")
            .map((line) => line.replace(/#.*/, "").trim())
            .find((line) => line !== "") ?? ""
    );
}
