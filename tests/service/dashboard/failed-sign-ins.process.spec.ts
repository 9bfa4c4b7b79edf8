import assert from "node:assert/strict";
import { adminApiKey } from "../support/running-service.js";
import { createViewer, page, withDashboard } from "./support/viewer.js";

describe("Failed sign-ins", () => {
    it("with links are limited, too, so that strangers do not fill the audit log", async () => {
        await withDashboard(async (running) => {
            const viewer = createViewer(running);
            const attempt = (from: string) =>
                viewer.post(`${page}/sign-in/link`, { link: "guess" }, `${page}/sign-in`, { "x-forwarded-for": from });
            for (let count = 0; count < 10; count += 1) {
                assert.equal((await attempt("203.0.113.7")).status, 403);
            }
            const refused = await attempt("203.0.113.7");
            assert.equal(refused.status, 429);
            assert.match(refused.text, /too many failed sign-ins: try again in 15 minutes/);
            assert.equal((await attempt("203.0.113.8")).status, 403);
            const { body } = await running.request("GET", "/v1/audit?limit=100");
            assert.equal((body["entries"] as object[]).length, 11);
        });
    });

    /** Sends a key to the sign-in from an address that a proxy on this machine reports. */
    const attemptOf = (running: Parameters<typeof createViewer>[0]) => {
        const viewer = createViewer(running);
        return (key: string, from: string) =>
            viewer.post(`${page}/sign-in`, { key }, `${page}/sign-in`, { "x-forwarded-for": from });
    };

    it("are limited for each client, with a time after which the next one is read", async () => {
        await withDashboard(async (running) => {
            const attempt = attemptOf(running);
            for (let count = 0; count < 10; count += 1) {
                assert.equal((await attempt(`guess-${count}`, "203.0.113.7")).status, 401);
            }
            const refused = await attempt("guess", "203.0.113.7");
            assert.equal(refused.status, 429);
            assert.ok(Number(refused.headers.get("retry-after")) > 800);
            assert.equal((await attempt("guess", "203.0.113.8")).status, 401);
        });
    });

    it("never lock out a valid key, also not one from the same address, which clients may share", async () => {
        await withDashboard(async (running) => {
            const attempt = attemptOf(running);
            for (let count = 0; count < 11; count += 1) {
                await attempt(`guess-${count}`, "203.0.113.7");
            }
            assert.equal((await attempt("guess", "203.0.113.7")).status, 429);
            assert.equal((await attempt(adminApiKey, "203.0.113.7")).status, 303);
        });
    });

    it("count together for an IPv6 network, whose user may use any of its addresses", async () => {
        await withDashboard(async (running) => {
            const attempt = attemptOf(running);
            for (let count = 0; count < 10; count += 1) {
                assert.equal((await attempt("guess", `2001:db8::${count + 1}`)).status, 401);
            }
            assert.equal((await attempt("guess", "2001:db8::ffff")).status, 429);
            assert.equal((await attempt("guess", "2001:db8:0:1::1")).status, 401);
        });
    });
});
