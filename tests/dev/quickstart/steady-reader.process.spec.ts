import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SteadyReader } from "../../../dev/quickstart/src/bucket/steady-reader.js";
import { waitUntil } from "../../wait-until.js";

describe("The steady reader of the quickstart in a bucket", () => {
    let server: Server;
    let answers: { status: number; text: string };
    let answered: number;

    beforeEach(async () => {
        answers = { status: 200, text: "whole" };
        answered = 0;
        server = createServer((_, response) => {
            answered += 1;
            response.writeHead(answers.status).end(answers.text);
        }).listen(0, "127.0.0.1");
        await once(server, "listening");
    });
    afterEach(() => {
        server.closeAllConnections();
        server.close();
    });

    const read = () => {
        const { port } = server.address() as AddressInfo;
        return new SteadyReader(`http://127.0.0.1:${port}/`, (text) => text === "whole");
    };
    const untilAnswered = (count: number) => waitUntil(`${count} answers`, () => answered >= count);

    for (const [what, wrong] of [
        ["an error", { status: 503, text: "whole" }],
        ["half of a page", { status: 200, text: "who" }],
    ] as const) {
        it(`fails for ${what}, even if later requests succeed`, async () => {
            answers = wrong;
            const reader = read();
            await untilAnswered(1);
            answers = { status: 200, text: "whole" };
            await untilAnswered(answered + 2);
            await assert.rejects(reader.stop(), /^Error: \d+ of \d+ requests failed; the first: status/);
        });
    }
});
