import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, get, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { LiveJobs } from "../../../service/src/dashboard/live-jobs.js";
import { type JobSummary } from "../../../service/src/exports/site-job.js";
import { operator } from "../../../service/src/http/protocol/caller.js";
import { waitUntil } from "../../wait-until.js";

describe("Live events", () => {
    it("pile up in memory for no browser that reads slowly", async () => {
        let looks = 0;
        const jobs = Array.from({ length: 500 }, (_, index) => {
            const job: Partial<JobSummary> = { jobId: `se_${index}${"0".repeat(2000)}`, domain: "docs.example.com" };
            return job as JobSummary;
        });
        const live = new LiveJobs({
            unfinished: async () => Promise.resolve((looks++, jobs)),
            callersOf: async (cookies) => Promise.resolve(new Map(cookies.map((cookie) => [cookie, operator]))),
            lookMs: 1,
        });
        let page: ServerResponse | undefined;
        const server = createServer((_request, response) => live.add((page = response), "cookie")).listen(0);
        await once(server, "listening");
        const browser = get({ port: (server.address() as AddressInfo).port }, (response) => response.pause());
        browser.on("error", () => undefined);
        try {
            await waitUntil("the service has looked 50 times", () => looks > 50);
            const oneEvent = 1_100_000;
            assert.ok((page?.writableLength ?? Infinity) < 2 * oneEvent, `${page?.writableLength} bytes wait`);
        } finally {
            live.close();
            browser.destroy();
            server.closeAllConnections();
            server.close();
        }
    });
});
