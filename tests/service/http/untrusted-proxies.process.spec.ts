import assert from "node:assert/strict";
import { page, signIn, withDashboard } from "../dashboard/support/viewer.js";
import { adminApiKey, type RunningService } from "../support/running-service.js";

const advice = /Requests from 127\.0\.0\.1 name their clients .* set its address or network with --trusted-proxy/;

async function send({ request }: RunningService, forwarded?: string): Promise<void> {
    await request("GET", "/v1/whoami", forwarded === undefined ? {} : { headers: { "x-forwarded-for": forwarded } });
}

const problemsOf = async ({ request }: RunningService) =>
    (await request("GET", "/v1/service")).body["problems"] as string[];

describe("A proxy that the service does not trust", () => {
    const trustedProxies = ["192.0.2.1"];

    it("is reported once in the log, and on the page Health for an hour after its last request", async () => {
        let now = Date.now();
        await withDashboard(
            async (running, log) => {
                await send(running, "203.0.113.7");
                await send(running, "203.0.113.8");
                assert.equal(log.filter((line) => advice.test(line)).length, 1, log.join("\n"));
                const boss = await signIn(running, adminApiKey);
                assert.match((await boss.get(`${page}/health`)).text, advice);
                now += 3600_000;
                assert.deepEqual(await problemsOf(running), []);
                await send(running, "203.0.113.7");
                assert.match((await problemsOf(running)).join("\n"), advice);
                assert.equal(log.filter((line) => advice.test(line)).length, 1);
            },
            { trustedProxies, clock: () => now },
        );
    });

    it("is not reported without a client's address, or if the service trusts it", async () => {
        for (const [options, forwarded] of [
            [{ trustedProxies }, undefined],
            [{ trustedProxies }, "garbage"],
            [{}, "203.0.113.7"],
            [{ trustedProxies: ["127.0.0.0/8"] }, "203.0.113.7"],
        ] as const) {
            await withDashboard(async (running, log) => {
                await send(running, forwarded);
                assert.deepEqual(await problemsOf(running), []);
                assert.ok(!log.some((line) => advice.test(line)));
            }, options);
        }
    });
});
