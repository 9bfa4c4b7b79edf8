import { lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beginningOf, isRecord, quoteWord } from "@pulumi-static-export/contract";
import { type BuilderSettings, decodeText } from "@pulumi-static-export/exporter";

/** Versions that a build wants, such as "22" or "3.12"; the first one is preferred. */
interface WantedVersions {
    readonly node: readonly string[];
    readonly python: readonly string[];
    /** Texts in the place of versions. */
    readonly unknown: readonly UnknownVersion[];
}

interface UnknownVersion {
    readonly tool: "node" | "python";
    readonly file: string;
    readonly text: string;
}

const maxBytes = 256 * 1024;

/** Versions of Node.js with long-term support, the preferred one first. */
const releases = [24, 22, 26, 20, 18, 16, 14, 12];
const releaseNames: Readonly<Record<string, number>> = {
    ...{ krypton: 24, jod: 22, iron: 20, hydrogen: 18, gallium: 16, fermium: 14, erbium: 12 },
};

/** The versions in the files of a repository, of the nearest folder from the base up to the root that has any. */
export function readWantedVersions(base: string, root: string): WantedVersions {
    const found: Record<UnknownVersion["tool"], readonly string[]> = { node: [], python: [] };
    const unknown: UnknownVersion[] = [];
    const search = (tool: keyof typeof found, file: string, text: string, parse: (text: string) => string[]) => {
        if (found[tool].length === 0 && firstLine(text) !== "") {
            found[tool] = parse(text);
            unknown.push(...(found[tool].length === 0 ? [{ tool, file, text: firstLine(text) }] : []));
        }
    };
    for (let folder = base; ; folder = dirname(folder)) {
        const read = (name: string) => readText(join(folder, name));
        const tools = parseToolVersions(read(".tool-versions"));
        search("node", ".nvmrc", read(".nvmrc"), parseNodeVersion);
        search("node", ".node-version", read(".node-version"), parseNodeVersion);
        search("node", ".tool-versions", tools.get("nodejs") ?? tools.get("node") ?? "", parseNodeVersion);
        search("node", "package.json", enginesOf(read("package.json")), parseNodeRange);
        search("python", ".python-version", read(".python-version"), parsePythonVersion);
        search("python", ".tool-versions", tools.get("python") ?? "", parsePythonVersion);
        if (folder === root || folder === dirname(folder)) {
            return { ...found, unknown };
        }
    }
}

/** A version that builds know, and in a shell the one that the build uses. */
const versionsInWords = {
    node: { such: "24 or lts/jod", used: "Node.js $(node --version 2>/dev/null || echo none)" },
    python: { such: "3.12", used: "$(python3 --version 2>/dev/null || echo no Python)" },
};

/** A shell's commands that say which versions a build uses instead of those that it does not know. */
export function reportUnknownVersions(
    settings: Pick<BuilderSettings, "node" | "python">,
    { base, root }: { readonly base: string; readonly root: string },
): string[] {
    const unknown = readWantedVersions(base, root).unknown.filter(({ tool }) => settings[tool] === undefined);
    return unknown.map(({ tool, file, text }) => {
        const { such, used } = versionsInWords[tool];
        const named = `${JSON.stringify(beginningOf(text, 100))} in ${file}`;
        const problem = `${named} is not a version that builds know, such as ${such}: this build uses `;
        return `printf '%s\\n' ${quoteWord(problem)}"${used}."`;
    });
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
        const range = typeof engines["node"] === "string" ? engines["node"].trim() : "";
        return range === "*" ? "" : range;
    } catch {
        // Package managers report unreadable files.
        return "";
    }
}

/** The releases that a range such as `^20.9 || >=22` contains. */
function parseNodeRange(range: string): string[] {
    const exact = parseNodeVersion(range);
    if (exact.length > 0) {
        return exact;
    }
    const alternatives = beginningOf(range, 200).split("||");
    return releases.filter((release) => alternatives.some((each) => hasRelease(each, release))).map(String);
}

function hasRelease(range: string, release: number): boolean {
    const [, from, to] = /^\s*v?(\d+)(?:\.\S*)?\s+-\s+v?(\d+)(?:\.\S*)?\s*$/.exec(range) ?? [];
    if (from !== undefined) {
        return release >= Number(from) && release <= Number(to);
    }
    const comparators = [...range.matchAll(/(?:([<>]=?|[\^~=])\s*)?v?(\d+)(\.\S*)?/g)];
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
