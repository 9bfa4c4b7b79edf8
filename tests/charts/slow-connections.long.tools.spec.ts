import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { waitUntil } from "../wait-until.js";
import { EdgeFixture } from "./sites/support/edge-fixture.js";
import { findProgram } from "./support/fetch-pod.js";
import { LiveNginx } from "./support/live-nginx.js";
import { exported, render } from "./support/render-chart.js";

/** More than two workers accept with nginx's usual limit of 1024 connections each. */
const count = 2500;

async function openSlowConnections(port: number): Promise<Socket[]> {
    const opened: Socket[] = [];
    while (opened.length < count) {
        const sockets = Array.from({ length: 100 }, () => connect(port, "127.0.0.1").on("error", () => undefined));
        await Promise.all(sockets.map((socket) => once(socket, "connect")));
        for (const socket of sockets) {
            socket.resume().write("GET / HTTP/1.1\r\nHost: docs.example.com\r\nX-Slow");
        }
        opened.push(...sockets);
    }
    return opened;
}

/** @param statusOf - requests a page, as a visitor does */
async function assertServesVisitors(port: number, statusOf: () => Promise<number>): Promise<void> {
    const sockets = await openSlowConnections(port);
    const openCount = () => sockets.filter(({ closed }) => !closed).length;
    // Before the visits, which may take longer than the server's limit on a busy machine.
    assert.equal(openCount(), count);
    for (let visit = 0; visit < 20; visit++) {
        assert.equal(await statusOf(), 200);
    }
    await waitUntil("the server closes slow connections", () => openCount() === 0, { withinMs: 30_000 });
}

describe("thousands of connections that send their headers slowly", function () {
    this.timeout(120_000);
    const edge = EdgeFixture.use();

    it("take no place of visitors in charts/documentation-site, and are closed after 15 seconds", async function () {
        const nginx = await findProgram("nginx");
        if (nginx === undefined) {
            this.skip();
        }
        const configMap = (await render(exported)).get("ConfigMap/docs-documentation-site");
        assert.ok(configMap);
        const site = await LiveNginx.start(nginx, configMap, { "public/index.html": "front", "healthz.json": "{}" });
        try {
            const url = site.url("/");
            await assertServesVisitors(Number(new URL(url).port), async () => (await fetch(url)).status);
        } finally {
            await site.stop();
        }
    });

    it("take no place of visitors in charts/documentation-sites, and are closed after 15 seconds", async () => {
        await edge().publish("docs.example.com", { "index.html": "front" });
        await assertServesVisitors(edge().port, async () => (await edge().get("docs.example.com", "/")).status);
    });
});
