import { amount, bundleFactsFile, defaultBundleLimits, isLeftOut } from "@pulumi-static-export/contract";
import { createHash, hash } from "node:crypto";
import { closeSync, createReadStream, existsSync, openSync, readSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { checkEntryPath, quoteName } from "../../bundle/entry-path.js";
import { accessFile } from "@pulumi-static-export/contract";
import { readPrivateFiles } from "../../bundle/private-files.js";
import { type OnFile } from "../../bundle/site-writer.js";
import { advice } from "../../errors/advice.js";
import { BundleError } from "../../errors/index.js";
import { PublishError } from "../errors/publish-error.js";
import { Inventory } from "../records/inventory.js";
import { accessKey, ownFolder } from "../records/site-record.js";
import { accessParts } from "./access-parts.js";
import {
    contentTypeOf,
    findDigestInName,
    type HeaderSettings,
    headersOf,
    immutable,
    readRedirects,
} from "./file-headers.js";
import { hostFiles } from "./host-files.js";
import { isImmutable } from "./immutable-files.js";
import { smallFileBytes } from "./read-content.js";

/** The map of redirects that exporters write for nginx. */
export const redirectMap = "static-export/redirects.map";

/** S3 allows 1024 bytes for a key, including its prefix. */
const maxPathBytes = 900;
/** The maximum size of one request. */
const maxFileBytes = 5 * 1024 ** 3;
/** Small files are read synchronously: timers and requests of the same process run after this many milliseconds. */
const pauseEveryMs = 20;

/** The location of a file's content, if it is not at the file's path: at another path of the folder, or in memory. */
export type SiteContents = Map<string, string | Buffer>;

/** A site in a folder. */
export interface OpenedSite {
    readonly folder: string;
    /** Of its bundle. */
    readonly sha256?: string | undefined;
    /**
     * Digests that are known from unpacking the site; files without a known digest are read. The headers in this
     * inventory do not count.
     */
    readonly measured?: Inventory | undefined;
    /** Whether hidden files, dependencies and private keys are published, too. @default false */
    readonly allFiles?: boolean | undefined;
}

/** Collects the digests of a site's files while they are unpacked. */
export function measureFiles(): { readonly measured: Inventory; readonly onFile: OnFile } {
    const measured = new Inventory();
    return { measured, onFile: (path, file) => measured.set(path, { ...file, headers: "" }) };
}

/** A site in a folder, with sizes and digests. */
interface LocalSite {
    readonly files: Inventory;
    readonly contents: SiteContents;
    readonly sizeBytes: number;
    /** The files and folders that are not published. */
    readonly leftOut: readonly string[];
}

/** The settings for publishing a site. */
interface PublishSettings {
    readonly headers: HeaderSettings;
    /** Whether the host enforces the release's access.json. */
    readonly access?: "edge" | undefined;
    /** Reads the files of the live release by their paths in the site. */
    readonly readLive?: (() => Promise<Inventory | undefined>) | undefined;
}

/**
 * Reads the names and digests of all files of a site, in the order of their names.
 *
 * @throws BundleError or PublishError if the folder contains files that no host can serve, or files for certain readers
 */
export async function readSite(
    { folder, measured, allFiles = false }: OpenedSite,
    { headers: settings, access, readLive }: PublishSettings,
    signal: AbortSignal,
): Promise<LocalSite> {
    await checkPrivateFiles(folder, access, signal);
    const { paths, leftOut } = await listFiles(folder, allFiles, signal);
    const redirectsText = paths.includes(redirectMap) ? await readFile(join(folder, redirectMap), "utf8") : "";
    const redirects = redirectsText === "" ? new Map<string, string>() : readRedirects(redirectsText, new Set(paths));
    const contents: SiteContents = new Map();
    if (access === "edge" && paths.includes(accessFile)) {
        paths.splice(paths.indexOf(accessFile), 1, accessKey);
        contents.set(accessKey, accessFile);
        for (const [path, content] of await accessParts(folder)) {
            paths.push(path);
            contents.set(path, content);
        }
    }
    if (settings.addresses === "objects") {
        addPageObjects(paths, contents);
    }
    paths.sort();
    const live = paths.some((path) => findDigestInName(path) !== undefined) ? await readLive?.() : undefined;
    const immutablePaths: string[] = [];
    const headersFor = createHeaders(settings, redirects);
    const files = new Inventory(paths.length);
    const buffer = Buffer.allocUnsafe(smallFileBytes);
    let sizeBytes = 0;
    let pausedAtMs = performance.now();
    for (const path of paths) {
        const content = contents.get(path) ?? path;
        const file =
            typeof content === "string"
                ? (measured?.get(content) ?? (await measure(join(folder, content), buffer)))
                : digestOf(content);
        if (file.sizeBytes > maxFileBytes) {
            throw new PublishError(`The file ${quoteName(path)} is larger than 5 GiB, the most that storage accepts.`);
        }
        sizeBytes += file.sizeBytes;
        const source = typeof content === "string" ? content : path;
        const local = typeof content === "string" ? join(folder, content) : undefined;
        const isFixed = findDigestInName(path) !== undefined && (await isImmutable(path, file, local, live));
        if (isFixed) {
            immutablePaths.push(path);
        }
        files.set(path, { ...file, headers: headersFor(path, source, isFixed) });
        if (performance.now() - pausedAtMs >= pauseEveryMs) {
            await setImmediate();
            signal.throwIfAborted();
            pausedAtMs = performance.now();
        }
    }
    if (settings.addresses === "rules") {
        for (const [path, content] of hostFiles(redirectsText, immutablePaths, immutable)) {
            if (!files.has(path)) {
                contents.set(path, content);
                sizeBytes += content.length;
                files.set(path, { ...digestOf(content), headers: headersFor(path, path, false) });
            }
        }
    }
    return { files, contents, sizeBytes, leftOut };
}

async function checkPrivateFiles(folder: string, access: "edge" | undefined, signal: AbortSignal): Promise<void> {
    const files = readPrivateFiles(folder);
    let count = 0;
    while (!(await files.next()).done) {
        signal.throwIfAborted();
        count += 1;
    }
    if (count > 0 && access !== "edge") {
        throw new PublishError(
            `Not everybody may read ${amount(count, "file", "files")} of this site (see its access.json), and a bucket or folder shows ` +
                "them to everybody. Export without --access, which leaves these pages out, or serve the site with the " +
                "chart documentation-site, which separates readers. If this host separates them by access.json, publish " +
                'with access "edge".',
        );
    }
}

/** Lists all paths in the order of their UTF-16 code units. */
async function listFiles(
    folder: string,
    allFiles: boolean,
    signal: AbortSignal,
): Promise<{ paths: string[]; leftOut: string[] }> {
    const paths: string[] = [];
    const leftOut: string[] = [];
    const isExport = existsSync(join(folder, bundleFactsFile));
    const folders = [""];
    for (let parent = folders.pop(); parent !== undefined; parent = folders.pop()) {
        signal.throwIfAborted();
        for (const entry of await readdir(join(folder, parent), { withFileTypes: true })) {
            // A joined string would keep its two parts in memory.
            const path = Buffer.from(parent + entry.name).toString();
            if (`${entry.name}/` === ownFolder && (allFiles || parent === "")) {
                throw new PublishError(
                    `The site contains ${quoteName(`${path}/`)}, where publishing keeps its own records: publish the ` +
                        "folder that the site was exported into.",
                );
            }
            if (!allFiles && isLeftOut(path, isExport)) {
                leftOut.push(entry.isDirectory() ? `${path}/` : path);
                continue;
            }
            checkPath(path);
            if (entry.isDirectory()) {
                folders.push(`${path}/`);
            } else if (entry.isFile()) {
                paths.push(path);
            } else {
                const remedy = entry.isSymbolicLink() ? "replace the link with a copy" : "remove it";
                throw new PublishError(`${quoteName(path)} is not a file or folder: ${remedy}.`);
            }
            if (Buffer.byteLength(path) > maxPathBytes) {
                throw new PublishError(`The path ${quoteName(path)} is longer than ${maxPathBytes} bytes.`);
            }
            if (paths.length > defaultBundleLimits.maxFiles) {
                const detail = `the site has more than ${defaultBundleLimits.maxFiles} files`;
                throw new BundleError("too-many-files", detail, undefined, advice.fixedLimit);
            }
        }
    }
    if (!paths.some((path) => path.endsWith(".html"))) {
        throw new BundleError("no-pages", "the site contains no .html page");
    }
    return { paths: paths.sort(), leftOut: leftOut.sort() };
}

/** @throws PublishError if the path means another place on some systems */
function checkPath(path: string): void {
    try {
        checkEntryPath(path);
    } catch (error) {
        throw error instanceof BundleError
            ? new PublishError(`The site cannot be published: ${error.summary}. Rename it.`)
            : error;
    }
}

/** Adds an object at the address of each page without `.html`, for hosts without their own rules. */
function addPageObjects(paths: string[], contents: SiteContents): void {
    const taken = new Set(paths);
    for (const page of taken) {
        const path = page.replace(/\.html$/, "");
        if (path !== page && !taken.has(path) && !/(^|\/)index$|^404$/.test(path)) {
            contents.set(path, page);
            paths.push(path);
        }
    }
}

/** Most files have the same headers as other files, and share one string. */
function createHeaders(
    settings: HeaderSettings,
    redirects: ReadonlyMap<string, string>,
): (path: string, content: string, isFixed: boolean) => string {
    const byKind = new Map<string, string>();
    return (path, content, isFixed) => {
        const redirect = redirects.get(content);
        const fixed = isFixed ? { cacheControl: immutable } : {};
        if (redirect !== undefined) {
            return headersOf(path, settings, { contentType: contentTypeOf(content), redirect, ...fixed });
        }
        // A file that is named `html` is not a page.
        const kind = `${/\.[^./]*$/.exec(content)?.[0]} ${isFixed}`;
        const known = byKind.get(kind);
        if (known !== undefined) {
            return known;
        }
        const headers = headersOf(path, settings, { contentType: contentTypeOf(content), ...fixed });
        byKind.set(kind, headers);
        return headers;
    };
}

function digestOf(content: Buffer): { digest: string; sizeBytes: number } {
    return { digest: hash("sha256", content, "hex"), sizeBytes: content.length };
}

/**
 * Reads small files synchronously and into one buffer: an asynchronous read uses four threads one after the other, and
 * a new buffer for each file costs more than its digest.
 */
async function measure(path: string, buffer: Buffer): Promise<{ digest: string; sizeBytes: number }> {
    const file = openSync(path, "r");
    try {
        let length = 0;
        for (let read = -1; read !== 0 && length < buffer.length; length += read) {
            read = readSync(file, buffer, length, buffer.length - length, null);
        }
        if (length < buffer.length) {
            return digestOf(buffer.subarray(0, length));
        }
    } finally {
        closeSync(file);
    }
    const digest = createHash("sha256");
    let sizeBytes = 0;
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
        digest.update(chunk);
        sizeBytes += chunk.length;
    }
    return { digest: digest.digest("hex"), sizeBytes };
}
