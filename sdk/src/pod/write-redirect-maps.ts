import { appendFileSync } from "node:fs";
import { join } from "node:path";

const address = /^[A-Za-z0-9_./~!&'()*+,:@%=|?#-]+$/;
const literal = /^[A-Za-z0-9_~!&',:@%=-]*$/;
/** A path of the site, or an address of another site whose host contains no capture. */
const destinationStart = /^(?:\/(?:$|[^/])|https?:\/\/[A-Za-z0-9.-]+(?::[0-9]+)?(?:[/?#]|$))/;

/** nginx refuses a parameter of 4096 bytes. */
const maxLineBytes = 2000;
/** nginx does not start with a bucket of its hash beyond 64 KiB, and a hostile map can put all into one bucket. */
const maxShards = 64;
const shardBytes = 60_000;
const entryBytes = 32;
export const maxPatterns = 500;
const maxComplaints = 5;

/**
 * Turns the bundle's redirects.map into entries for the maps of nginx.conf: `exact-N.map` and `patterns.map`. The
 * bundle is untrusted, so no line of it reaches nginx: each is parsed, and written again from its parts. A line that
 * breaks the grammar, or could prevent nginx from starting, is left out.
 *
 *     "/old" "/new";                       an address, or one of another site
 *     "~^/old/(?<p1>.*)$" "/new/${p1}";    captures are whole segments, and used below the host only
 *     "~^/old-(?<p1>[^/]+)$" "/${p1}";     or a part of a segment, with plain text around it
 *
 * @param map - decoded as Latin-1, because nginx compares bytes
 * @returns what is left out, by the numbers of the lines and never with their text
 */
export function writeRedirectMaps(map: string, folder: string): string[] {
    const maps = new RedirectMaps();
    const complaints: string[] = [];
    const lines = map.split("\n");
    for (const [index, line] of lines.entries()) {
        const problem = line === "" ? undefined : maps.add(line);
        if (problem !== undefined) {
            complaints.push(`line ${index + 1} is left out: ${problem}`);
        }
    }
    for (const [file, text] of maps.files()) {
        appendFileSync(join(folder, file), text, "latin1");
    }
    const more = complaints.length - maxComplaints;
    return more > 0 ? [...complaints.slice(0, maxComplaints), `${more} more lines are left out`] : complaints;
}

class RedirectMaps {
    readonly #shards: string[][] = [[]];
    readonly #patterns: string[] = [];
    readonly #taken = new Set<string>();
    #bytes = 0;

    /** @returns why the line is left out */
    add(line: string): string | undefined {
        if (line.length > maxLineBytes) {
            return "it is too long";
        }
        const [, source, destination] = /^"([^" ]+)" "([^" ]+)";$/.exec(line) ?? [];
        if (source === undefined || destination === undefined) {
            return 'it is not of the form "SOURCE" "DESTINATION";';
        }
        const pattern = /^~\^\/.*\$$/.test(source) ? parsePattern(source) : undefined;
        if (typeof pattern === "string") {
            return pattern;
        }
        const plain = pattern === undefined ? source : pattern.captures === 0 ? unescaped(source) : undefined;
        if (plain !== undefined && (!/^\/./.test(plain) || !address.test(plain.replaceAll("$", "")))) {
            return "its source is not an address";
        }
        if (!isDestination(destination, pattern?.captures ?? 0)) {
            return "it does not lead to an address of this or another site";
        }
        if (plain === destination) {
            return "it leads to itself";
        }
        if (plain?.includes("$")) {
            // The value of an exact entry contains its source, in which nginx would read a variable.
            return this.#addPattern(`~^${plain.replace(/[.*+?^$()|]/g, "\\$&")}$`, destination);
        }
        return plain === undefined && pattern !== undefined
            ? this.#addPattern(pattern.text, destination)
            : this.#addExact(plain ?? source, destination);
    }

    *files(): Generator<[file: string, text: string]> {
        const exact = this.#shards.map((entries, shard) => [`exact-${shard}.map`, entries] as const);
        for (const [file, entries] of [...exact, ["patterns.map", this.#patterns] as const]) {
            if (entries.length > 0) {
                yield [file, entries.join("")];
            }
        }
    }

    #addPattern(pattern: string, destination: string): string | undefined {
        if (this.#patterns.length >= maxPatterns) {
            return "the pods accept no more patterns";
        }
        this.#patterns.push(`"${pattern}" "${destination}";\n`);
        return undefined;
    }

    #addExact(source: string, destination: string): string | undefined {
        // nginx ignores case, and refuses a second entry.
        const key = source.toLowerCase();
        if (this.#taken.has(key)) {
            return "an earlier line has the same address, or one that differs only in case";
        }
        const bytes = key.length + entryBytes;
        if (this.#bytes + bytes > shardBytes) {
            if (this.#shards.length >= maxShards) {
                return "the pods accept no more redirects";
            }
            this.#shards.push([]);
            this.#bytes = 0;
        }
        this.#taken.add(key);
        this.#bytes += bytes;
        // The value contains the source, too: nginx.conf compares it again, with its case.
        this.#shards.at(-1)?.push(`"${source}" "${source} ${destination}";\n`);
        return undefined;
    }
}

/** Writes a pattern again from its segments. @returns a text that says what is wrong with it */
function parsePattern(source: string): { text: string; captures: number } | string {
    // One of the segments contains a slash.
    const body = source.slice(3, -1).replaceAll(">[^/]+)", ">segment)").replaceAll(">.*)", ">rest)");
    let text = "~^";
    let captures = 0;
    let wide = 0;
    for (const part of body.split("/")) {
        const capture = `(?<p${captures + 1}>`;
        if (part === `${capture}rest)`) {
            captures += 1;
            wide += 1;
            text += `/${capture}.*)`;
        } else {
            const [before = "", after = "", ...others] = part.split(`${capture}segment)`);
            if (others.length > 0 || ![before, after].every(isLiteral)) {
                return "its pattern is not supported";
            }
            const isCapture = part.includes(capture);
            captures += isCapture ? 1 : 0;
            text += `/${before}${isCapture ? `${capture}[^/]+)` : ""}${after}`;
        }
    }
    // Each more would multiply the time that a long address takes.
    return wide > 1 ? "its pattern has more than one .*" : { text: `${text}$`, captures };
}

function isLiteral(part: string): boolean {
    return literal.test(part.replace(/\\[\].*+?^$()|[]/g, ""));
}

function isDestination(text: string, captures: number): boolean {
    let plain = text;
    for (let number = 1; number <= captures; number += 1) {
        plain = plain.replaceAll(`\${p${number}}`, "x");
    }
    return address.test(plain) && destinationStart.test(text);
}

/** The address of a pattern without captures. */
function unescaped(source: string): string {
    return source.slice(2, -1).replaceAll("\\", "");
}
