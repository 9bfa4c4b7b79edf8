import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import { isEntryPath } from "../../bundle/entry-path.js";
import { type Inventory, markDigits } from "./inventory.js";

/** The stored form of an inventory. */
interface EncodedInventory {
    /** SHA-256 of the text. */
    readonly digest: string;
    /** The text, gzipped. */
    readonly content: Buffer;
}

const firstLine = "static-export inventory 1";
const headersMark = "headers ";
const linesAtOnce = 2000;
/** Longer than the longest path or redirect: a damaged list may be one endless line. */
const maxLineCharacters = 64 * 1024;

/**
 * Writes one line for each file: digest, size, number of headers, time when the file became unneeded with the file's
 * mark, path. Each distinct set of headers is a separate line before the first file that uses it.
 */
export async function encodeInventory(files: Inventory): Promise<EncodedInventory> {
    const hash = createHash("sha256");
    const text = function* () {
        for (const part of textOf(files)) {
            hash.update(part);
            yield Buffer.from(part);
        }
    };
    const chunks: Buffer[] = [];
    for await (const chunk of Readable.from(text()).pipe(createGzip({ level: 1 })) as AsyncIterable<Buffer>) {
        chunks.push(chunk);
    }
    return { digest: hash.digest("hex"), content: Buffer.concat(chunks) };
}

function* textOf(files: Inventory): Generator<string> {
    const numbers = new Map<string, number>();
    let lines = [firstLine];
    for (const [path, { digest = "-", sizeBytes, headers, goneAtMs = "-", mark }] of files) {
        let number = numbers.get(headers);
        if (number === undefined) {
            number = numbers.size;
            numbers.set(headers, number);
            lines.push(headersMark + headers);
        }
        const marked = mark === undefined ? "" : `#${mark.toString(16).padStart(markDigits, "0")}`;
        lines.push(`${digest} ${sizeBytes} ${number} ${goneAtMs}${marked} ${path}`);
        if (lines.length >= linesAtOnce) {
            yield `${lines.join("\n")}\n`;
            lines = [];
        }
    }
    yield lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

/**
 * Reads what `encodeInventory` wrote into `files`. Returns false if the content is damaged or has another digest, or if
 * a path leaves the folder of the site, because anybody who may write to the target can write a list.
 */
export async function decodeInventory(content: Buffer, digest: string, files: Inventory): Promise<boolean> {
    const hash = createHash("sha256");
    const headers: string[] = [];
    let rest = "";
    let isFirst = true;
    try {
        const text = Readable.from([content]).pipe(createGunzip());
        const decoder = new TextDecoder();
        for await (const chunk of text as AsyncIterable<Buffer>) {
            hash.update(chunk);
            const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
            rest = lines.pop() ?? "";
            if (rest.length > maxLineCharacters) {
                return false;
            }
            for (const line of lines) {
                if (isFirst ? line !== firstLine : !readLine(line, headers, files)) {
                    return false;
                }
                isFirst = false;
            }
        }
    } catch {
        return false;
    }
    return rest === "" && hash.digest("hex") === digest;
}

const fileLine = /^([0-9a-f]{64}|-) (\d+) (\d+) (\d+|-)(?:#([0-9a-f]{12}))? (.+)$/;

function readLine(line: string, headers: string[], files: Inventory): boolean {
    if (line.startsWith(headersMark)) {
        headers.push(line.slice(headersMark.length));
        return true;
    }
    const [, digest, size, number, goneAt, mark, path] = fileLine.exec(line) ?? [];
    const found = headers[Number(number)];
    if (path === undefined || found === undefined || !isEntryPath(path)) {
        return false;
    }
    // A substring keeps the whole text in memory.
    files.set(Buffer.from(path).toString(), {
        digest: digest === "-" ? undefined : digest,
        sizeBytes: Number(size),
        headers: found,
        ...(goneAt === "-" ? {} : { goneAtMs: Number(goneAt) }),
        ...(mark === undefined ? {} : { mark: parseInt(mark, 16) }),
    });
    return true;
}
