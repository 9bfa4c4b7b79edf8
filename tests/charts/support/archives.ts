import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { createGzip } from "node:zlib";
import { type Headers, pack } from "tar-stream";

export type Entry = Partial<Headers> & { name: string; content?: string | Buffer };

/** Packs these entries with equal time stamps as a tar.gz, like exporters' reproducible archives. */
export async function archive(entries: Entry[]): Promise<Buffer> {
    const tar = pack();
    for (const { content, ...header } of entries) {
        const entry = { mtime: new Date(0), ...header };
        if (content === undefined) {
            tar.entry(entry);
        } else {
            tar.entry(entry, content);
        }
    }
    tar.finalize();
    return buffer(tar.pipe(createGzip()));
}

export const site = (text = "Welcome"): Promise<Buffer> =>
    archive([
        { name: "index.html", content: `<h1>${text}</h1>` },
        { name: "guides/start.html", content: "<h1>Start</h1>" },
        { name: "assets/a name with spaces.svg", content: "<svg/>" },
    ]);

export const sha256 = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

/** Archives that must not be served, with the expected message for each. */
export const unsafe: { title: string; entries: Entry[]; says: RegExp }[] = [
    {
        title: "an absolute path",
        entries: [{ name: "/tmp/escaped.html", content: "x" }],
        says: /path that leaves its folder/,
    },
    {
        title: "a path with ..",
        entries: [{ name: "guides/../../escaped.html", content: "x" }],
        says: /path that leaves its folder/,
    },
    {
        title: "a link out of its folder",
        entries: [
            { name: "out", type: "symlink", linkname: "/etc" },
            { name: "out/escaped.html", content: "x" },
        ],
        says: /a link, device or other special entry/,
    },
    {
        title: "a link within its folder",
        entries: [
            { name: "index.html", content: "x" },
            { name: "start.html", type: "symlink", linkname: "index.html" },
        ],
        says: /a link, device or other special entry/,
    },
    {
        title: "a hard link",
        entries: [
            { name: "index.html", content: "x" },
            { name: "start.html", type: "link", linkname: "index.html" },
        ],
        says: /a link, device or other special entry/,
    },
    {
        title: "a device",
        entries: [{ name: "null.html", type: "character-device", devmajor: 1, devminor: 3 }],
        says: /a link, device or other special entry/,
    },
    { title: "a pipe", entries: [{ name: "pipe.html", type: "fifo" }], says: /a link, device or other special entry/ },
    { title: "no page", entries: [{ name: "readme.txt", content: "x" }], says: /contains no \.html page/ },
];
