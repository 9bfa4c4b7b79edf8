import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { accessFile } from "@pulumi-static-export/contract";
import { accessPartsFolder } from "../records/site-record.js";

/** A part has about this many files. A list with fewer files is not split. */
const filesPerPart = 250;
const maxParts = 1024;

const start = '{\n  "formatVersion": 1,\n  "files": {';
const entryStart = '    "';

/**
 * Splits the access.json of a site with many private files into parts, so that a host reads only the part with the files
 * of an address: reading the whole list for each request would take 60 ms of CPU time at 20,000 files. The parts
 * have the form of access.json.
 *
 * @param folder - a site whose access.json was checked
 * @returns the parts by their paths in the release, none if the list is short
 */
export async function accessParts(folder: string): Promise<Map<string, Buffer>> {
    const text = await readFile(join(folder, accessFile), "utf8");
    const entries = text.split("\n").filter((line) => line.startsWith(entryStart));
    const count = Math.min(Math.ceil(entries.length / filesPerPart), maxParts);
    const parts = Array.from({ length: count < 2 ? 0 : count }, (): string[] => []);
    for (const entry of parts.length === 0 ? [] : entries) {
        const file = entry.slice(entryStart.length, entry.indexOf('": ['));
        parts[partOf(file, count)]!.push(entry.replace(/,$/, ""));
    }
    return new Map(
        parts.map((lines, part) => {
            const files = lines.length === 0 ? "}" : `\n${lines.join(",\n")}\n  }`;
            return [`${accessPartsFolder}${part}.json`, Buffer.from(`${start}${files}\n}\n`)];
        }),
    );
}

/** The part with a file. The chart documentation-sites computes the same: files/rules.js. */
function partOf(file: string, count: number): number {
    return parseInt(createHash("sha256").update(addressKey(file)).digest("hex").slice(0, 8), 16) % count;
}

/** The same for all files that a host may serve at one address, such as `guide`, `guide.md` and `guide/index.html`. */
function addressKey(file: string): string {
    for (;;) {
        const ending = ["/", ".html", ".md", file === "index" ? "index" : "/index"].find((each) => file.endsWith(each));
        if (ending === undefined) {
            return file;
        }
        file = file.slice(0, -ending.length);
    }
}
