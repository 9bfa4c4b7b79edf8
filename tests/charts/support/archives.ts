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
