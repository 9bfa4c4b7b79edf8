import { gunzipSync, gzipSync } from "node:zlib";
import { archive, type Entry } from "../../charts/support/archives.js";

/** A bundle, and its expected result. */
interface BundleCase {
    title: string;
    content: () => Promise<Buffer> | Buffer;
    /** The message of a refusal; undefined if the bundle is accepted. */
    refused?: RegExp | undefined;
    limits: Limits;
}

interface Limits {
    mebibytes: number;
    entries: number;
}

const limits: Limits = { mebibytes: 8, entries: 100 };

const page: Entry = { name: "index.html", content: "<h1>Welcome" };
const file = (name: string): Entry => ({ name, content: "x" });
const folder = (name: string): Entry => ({ name, type: "directory" });
const numbered = (count: number, entry: (i: number) => Entry) => Array.from({ length: count }, (_, i) => entry(i));
const repeated = (text: string, times: number) => Array<string>(times).fill(text).join("/");

const format = /the bundle is not a gzipped tar archive \(\.tar\.gz\)\. Check that the link is the bundleUrl/;
const clash = (name: string) => new RegExp(`the entry "${name}" conflicts with another entry of that name\\.`);
const escapes = /the entry ".*" has (".." in its|an absolute) path/;
const tooLong = /the entry ".*" has a path that is too long\./;
const special = /is a link, where only files and folders are accepted|is neither file, folder nor link/;
const tooLarge = /unpacks to more than 8388608 bytes/;
const tooMany = /more than 100 files and folders/;
const damaged = /the archive is incomplete or damaged/;

const entries: { title: string; entries: Entry[]; refused?: RegExp; limits?: Limits }[] = [
    { title: "a site", entries: [page, file("guides/start.html"), file("assets/a name with  spaces.svg")] },
    { title: "a name beyond ASCII", entries: [page, file("Ünï/côde.html"), file("Ünï/cöde.html")] },
    { title: "a segment of 255 bytes", entries: [page, file(`${"ü".repeat(125)}.html`)] },
    { title: "a folder that has entries of its own, twice", entries: [folder("docs/"), folder("./docs"), page] },
    { title: "names with a dot and empty segments in them", entries: [folder("./"), file("./a/.//b.html")] },
    { title: "64 levels", entries: [file(`${repeated("d", 63)}/f.html`)] },
    { title: "65 levels", entries: [file(`${repeated("d", 64)}/f.html`)], refused: tooLong },
    { title: "a segment of 256 bytes", entries: [page, file("x".repeat(256))], refused: tooLong },
    { title: "two files of one name", entries: [page, file("a"), file("a")], refused: clash("a") },
    { title: "two spellings of one name", entries: [page, file("./index.html")], refused: clash("./index.html") },
    { title: "a file in place of a folder", entries: [page, file("a/b"), file("a")], refused: clash("a") },
    { title: "a file in place of an empty folder", entries: [page, folder("a/"), file("a")], refused: clash("a") },
    { title: "a folder in place of a file", entries: [page, file("a"), file("a/b")], refused: clash("a/b") },
    { title: "an absolute path", entries: [page, file("/tmp/escaped.html")], refused: escapes },
    { title: "a path out of the folder", entries: [page, file("a/../../escaped.html")], refused: escapes },
    { title: "a path with .. that stays inside", entries: [page, file("a/../b.html")], refused: escapes },
    {
        title: "a backslash in a name",
        entries: [page, file("a\\b.html")],
        refused: /entry .*has a backslash in its path\./i,
    },
    {
        title: "a control character in a name",
        entries: [page, file("a\u0007b.html")],
        refused: /entry .*has control characters in its path\./i,
    },
    {
        title: "a line break in a name",
        entries: [page, file("a\n-rw-r--r-- 0/0 1 2026-01-01 00:00 b.html")],
        refused: /entry .*has control characters in its path\./i,
    },
    {
        title: "a drive letter",
        entries: [page, file("C:/evil.html")],
        refused: /the entry "C:\/evil\.html" has a drive letter in its path\./,
    },
    { title: "a symbolic link", entries: [page, { name: "l", type: "symlink", linkname: "a" }], refused: special },
    { title: "a hard link", entries: [page, { name: "l", type: "link", linkname: "index.html" }], refused: special },
    { title: "a device", entries: [page, { name: "d", type: "character-device" }], refused: special },
    { title: "a pipe", entries: [page, { name: "p", type: "fifo" }], refused: special },
    {
        title: "empty folders that take more room than it may",
        entries: [page, ...numbered(300, (i) => folder(`${i}/`))],
        limits: { mebibytes: 1, entries: 1000 },
        refused: /unpacks to more than 1048576 bytes/,
    },
    {
        title: "empty files that take more room than it may",
        entries: [page, ...numbered(300, (i) => ({ name: `${i}.txt`, content: "" }))],
        limits: { mebibytes: 1, entries: 1000 },
        refused: /unpacks to more than 1048576 bytes/,
    },
    {
        title: "a file that is too large",
        entries: [page, { name: "large", content: Buffer.alloc(9 * 1024 * 1024) }],
        refused: tooLarge,
    },
    { title: "as many files as there may be", entries: numbered(100, (i) => file(`${i}.html`)) },
    { title: "one file more", entries: numbered(101, (i) => file(`${i}.html`)), refused: tooMany },
    {
        title: "folders that have no entry of their own",
        entries: numbered(51, (i) => file(`${i}/a.html`)),
        refused: tooMany,
    },
    { title: "a folder again and again", entries: [page, ...numbered(100, () => folder("a/"))], refused: tooMany },
    { title: "no page", entries: [file("readme.txt")], refused: /the bundle contains no \.html page/ },
];

const others: Omit<BundleCase, "limits">[] = [
    { title: "a zip archive", content: () => Buffer.from("PK\x03\x04rest of it", "latin1"), refused: format },
    { title: "a plain tar archive", content: async () => gunzipSync(await archive([page])), refused: format },
    { title: "an error page", content: () => Buffer.from("<!doctype html><p>Access denied"), refused: format },
    { title: "nothing", content: () => Buffer.alloc(0), refused: format },
    { title: "gzip without tar", content: () => gzipSync("x".repeat(2000)), refused: damaged },
    { title: "a truncated archive", content: async () => (await archive([page])).subarray(0, 60), refused: damaged },
];

export const bundleCases: BundleCase[] = [
    ...entries.map((given) => ({ limits, ...given, content: () => archive(given.entries) })),
    ...others.map((given) => ({ limits, ...given })),
];
