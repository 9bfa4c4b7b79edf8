import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Service } from "@pulumi-static-export/service";
import { QuickstartFolder } from "../../../dev/quickstart/src/quickstart-folder.js";
import { startService } from "../../../dev/quickstart/src/steps.js";

describe("the quickstart", () => {
    let root: string;
    let folder: QuickstartFolder;
    let service: Service | undefined;
    let other: Server;

    beforeEach(async () => {
        root = await mkdtemp(join(tmpdir(), "static-export-quickstart-"));
        folder = new QuickstartFolder(root);
        other = createServer((_request, response) => response.writeHead(404).end());
    });
    afterEach(async () => {
        await service?.close();
        service = undefined;
        other.close();
        await rm(root, { recursive: true });
    });

    it("finds a running quickstart that serves from the same folder", async () => {
        service = await startService(folder, await folder.settings());
        const running = { pid: process.pid, serviceAddress: service.url, siteAddress: "http://127.0.0.1:9/" };
        await folder.saveRunning(running);
        assert.deepEqual(await folder.running(), running);
    });

    it("finds no quickstart if the last quickstart was killed and its process id was reused", async () => {
        service = await startService(folder, await folder.settings());
        await folder.saveRunning({ pid: process.pid, serviceAddress: service.url });
        await service.close();
        assert.equal(await folder.running(), undefined);
    });

    it("finds no quickstart if another program uses its port", async () => {
        await once(other.listen(0, "127.0.0.1"), "listening");
        const { port } = other.address() as AddressInfo;
        await folder.settings();
        await folder.saveRunning({ pid: process.pid, serviceAddress: `http://127.0.0.1:${port}` });
        assert.equal(await folder.running(), undefined);
    });

    it("suggests what to do if the service's port is in use, and releases all resources", async () => {
        const settings = await folder.settings();
        await once(other.listen(settings.servicePort, "127.0.0.1"), "listening");
        await assert.rejects(startService(folder, settings), {
            message:
                `The admin service cannot start: another program listens on its port ${settings.servicePort} of 127.0.0.1. ` +
                "Stop that program, or run `npm run quickstart -- --reset`, which forgets the earlier runs and " +
                "chooses new ports.",
        });
        other.close();
        await once(other, "close");
        service = await startService(folder, settings);
    });
});
