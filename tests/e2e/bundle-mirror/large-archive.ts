import { createHash } from "node:crypto";
import { type RequestListener } from "node:http";
import { Readable } from "node:stream";
import { archiveOf } from "../../provider/bundle-mirror/platform-server.js";

const mebibyte = 1024 * 1024;

/** An archive that is too large for memory. */
export class LargeArchive {
    readonly sizeBytes: number;

    constructor(private readonly mebibytes: number) {
        this.sizeBytes = mebibytes * mebibyte;
    }

    readonly answer: RequestListener = (_request, response) => {
        response.writeHead(200, { "content-length": this.sizeBytes });
        Readable.from(this.#blocks(), { objectMode: false }).pipe(response);
    };

    sha256(): string {
        const hash = createHash("sha256");
        for (const block of this.#blocks()) {
            hash.update(block);
        }
        return hash.digest("hex");
    }

    *#blocks(): Generator<Buffer> {
        const block = Buffer.alloc(mebibyte, 3);
        yield archiveOf(mebibyte);
        for (let count = 1; count < this.mebibytes; count++) {
            yield block;
        }
    }
}
