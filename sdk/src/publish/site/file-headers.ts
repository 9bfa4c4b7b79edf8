import type { CompleteSettings, PublishSettings } from "../settings/publish-settings.js";
import { decodeUri } from "@pulumi-static-export/contract";

/** The headers that a host sends with a file. */
interface FileHeaders {
    readonly contentType: string;
    readonly cacheControl: string;
    /** The target of a redirect, for hosts that redirect by themselves. */
    readonly redirect?: string;
}

/** The settings of a release that its headers depend on. */
export type HeaderSettings = Pick<CompleteSettings<PublishSettings>, "cacheControl" | "addresses">;

/** Formats the settings as records store them. */
export function formatSettings({ cacheControl, addresses }: HeaderSettings): string {
    return JSON.stringify(addresses === "files" ? { cacheControl } : { cacheControl, addresses });
}

/** Whether two formatted settings require the same files. */
export function haveSameFiles(settings: string, others: string): boolean {
    const addressesOf = (text: string) => /"addresses":"\w+"/.exec(text)?.[0];
    return addressesOf(settings) === addressesOf(others);
}

export const immutable = "public, max-age=31536000, immutable";

const digestInName =
    /[._-](?=[0-9a-f]*[a-f])([0-9a-f]{8,64})\.(?:(css|js|mjs|wasm|woff2?)|png|jpe?g|gif|svg|webp|avif|ico)$/i;

const types: Readonly<Record<string, string>> = {
    aac: "audio/aac",
    apng: "image/apng",
    atom: "application/atom+xml; charset=utf-8",
    avif: "image/avif",
    bmp: "image/bmp",
    cjs: "text/javascript; charset=utf-8",
    css: "text/css; charset=utf-8",
    csv: "text/csv; charset=utf-8",
    docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    eot: "application/vnd.ms-fontobject",
    geojson: "application/geo+json; charset=utf-8",
    gif: "image/gif",
    gz: "application/gzip",
    htm: "text/html; charset=utf-8",
    html: "text/html; charset=utf-8",
    ico: "image/x-icon",
    ics: "text/calendar; charset=utf-8",
    jpeg: "image/jpeg",
    jpg: "image/jpeg",
    js: "text/javascript; charset=utf-8",
    json: "application/json; charset=utf-8",
    jsonl: "application/jsonl; charset=utf-8",
    jxl: "image/jxl",
    m3u8: "application/vnd.apple.mpegurl",
    map: "application/json; charset=utf-8",
    md: "text/markdown; charset=utf-8",
    mjs: "text/javascript; charset=utf-8",
    mov: "video/quicktime",
    mp3: "audio/mpeg",
    mp4: "video/mp4",
    mpeg: "video/mpeg",
    ogg: "audio/ogg",
    otf: "font/otf",
    pdf: "application/pdf",
    png: "image/png",
    rss: "application/rss+xml; charset=utf-8",
    svg: "image/svg+xml; charset=utf-8",
    tar: "application/x-tar",
    tif: "image/tiff",
    tiff: "image/tiff",
    ttf: "font/ttf",
    txt: "text/plain; charset=utf-8",
    vtt: "text/vtt; charset=utf-8",
    wasm: "application/wasm",
    wav: "audio/wav",
    webm: "video/webm",
    webmanifest: "application/manifest+json; charset=utf-8",
    webp: "image/webp",
    woff: "font/woff",
    woff2: "font/woff2",
    xml: "application/xml; charset=utf-8",
    xsl: "application/xslt+xml; charset=utf-8",
    yaml: "application/yaml; charset=utf-8",
    yml: "application/yaml; charset=utf-8",
    zip: "application/zip",
};

/** Finds what looks like a digest in a file's name, and whether people rarely name such files by hand. */
export function findDigestInName(path: string): { digits: string; isBuilt: boolean } | undefined {
    const [, digits, built] = digestInName.exec(path) ?? [];
    return digits === undefined ? undefined : { digits: digits.toLowerCase(), isBuilt: built !== undefined };
}

export function contentTypeOf(path: string): string {
    const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
    return Object.hasOwn(types, extension) ? types[extension]! : "application/octet-stream";
}

/** Returns the headers of a file in the form that inventories store. What is immutable stays so. */
export function headersOf(
    path: string,
    { cacheControl }: HeaderSettings,
    { redirect, contentType = contentTypeOf(path), cacheControl: earlier }: Partial<FileHeaders> = {},
): string {
    const headers: FileHeaders = {
        contentType,
        cacheControl: earlier === immutable ? immutable : cacheControl,
        ...(redirect === undefined ? {} : { redirect }),
    };
    return JSON.stringify(headers);
}

export function parseHeaders(headers: string): FileHeaders {
    return JSON.parse(headers) as FileHeaders;
}

const plainRedirect = /^"(\/[^"\s~]*)" "(\/[^"\s$]*|https?:\/\/[^"\s$]*)";$/;

/**
 * Reads the redirects of a site from the map that exporters write for nginx. The key of each redirect is the page at
 * the redirected address. Patterns are excluded, because a host without rules cannot follow them.
 *
 * @param pages - the paths of all files
 */
export function readRedirects(map: string, pages: { has(path: string): boolean }): Map<string, string> {
    const redirects = new Map<string, string>();
    for (const line of map.split("\n")) {
        const [, source = "", destination] = plainRedirect.exec(line) ?? [];
        const page = `${decodeUri(source).slice(1)}.html`;
        if (destination !== undefined && pages.has(page)) {
            redirects.set(page, withExtension(destination, pages));
        }
    }
    return redirects;
}

/** The storage has no page at an address without an extension. */
function withExtension(destination: string, pages: { has(path: string): boolean }): string {
    const [path = ""] = destination.split(/[?#]/, 1);
    return pages.has(`${decodeUri(path).slice(1)}.html`)
        ? `${path}.html${destination.slice(path.length)}`
        : destination;
}
