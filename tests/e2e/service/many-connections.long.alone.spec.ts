import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { withService } from "../../service/support/running-service.js";
import { copyingExporter } from "../../service/support/scripted-exporter.js";
import { scaled } from "../../scale.js";

/** `npm run test:all` opens 2,000 connections. */
const connections = scaled({ short: 200, long: 2000 });

describe(`A service with ${connections} connections that send nothing or only half a request`, function () {
    this.timeout(120_000);

    it("answers other clients, and closes the incomplete connections within its header timeout", async () => {
        await withService({ exporter: copyingExporter }, async ({ service, start, reaches }) => {
            const port = Number(new URL(service.url).port);
            const sockets: Socket[] = [];
            const closed: Promise<unknown>[] = [];
            for (let index = 0; index < connections; index += 1) {
                const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
                socket.on("error", () => undefined);
                socket.resume();
                await once(socket, "connect");
                closed.push(once(socket, "end").catch(() => undefined));
                if (index % 2 === 0) {
                    socket.write("POST /v1/static-export/jobs HTTP/1.1\r\nHost: x\r\nX-Half: ");
                }
                sockets.push(socket);
            }
            await reaches(await start(), "completed");
            // The server closes each connection after the 15 seconds that headers may take.
            await Promise.all(closed);
            await reaches(await start(), "completed");
            for (const socket of sockets) {
                socket.destroy();
            }
            assert.equal(closed.length, connections);
        });
    });
});
