import { EventEmitter, once } from "node:events";
import { createReadStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import sirv, { type RequestHandler } from "sirv";

/** An unpacked bundle that is being served. For example, `guides/start.html` is served at `/guides/start`. */
export class LiveSite {
    readonly folder: string;
    readonly #serve: RequestHandler;
    readonly #idle = new EventEmitter();
    #inFlight = 0;

    constructor(folder: string) {
        this.folder = folder;
        this.#serve = sirv(folder, {
            etag: true,
            extensions: ["html"],
            onNoMatch: (_request, response) => {
                response.writeHead(404, { "content-type": "text/html; charset=utf-8" });
                createReadStream(join(folder, "404.html"))
                    .on("error", () => response.end("Not found"))
                    .pipe(response);
            },
        });
    }

    handle(request: IncomingMessage, response: ServerResponse): void {
        this.#inFlight++;
        response.once("close", () => {
            this.#inFlight--;
            this.#idle.emit("change");
        });
        this.#serve(request, response);
    }

    /** Resolves when all responses have ended. */
    async drain(): Promise<void> {
        while (this.#inFlight > 0) {
            await once(this.#idle, "change");
        }
    }
}
