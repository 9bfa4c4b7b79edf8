import assert from "node:assert/strict";
import { findRefusal } from "../../../provider/src/jobs/adoption-refusal.js";

const now = Date.parse("2026-11-20T12:00:00Z");
const hour = 3600_000;
const ago = (ms: number) => new Date(now - ms).toISOString();

const refusalOf = (job?: { status?: string; error?: string; updatedAt?: string }, startedAt?: string, task = {}) =>
    findRefusal(
        { noun: "export", freshForMs: hour, acceptsFailed: false, ...task },
        job && { status: "completed", ...job },
        { nowMs: now, ...(startedAt === undefined ? {} : { startedAt }) },
    );

describe("A job of another run", () => {
    for (const [what, job, startedAt] of [
        ["is running, however old it is", { status: "running" }, ago(48 * hour)],
        ["was completed an hour ago", { updatedAt: ago(hour) }, ago(2 * hour)],
        ["was started an hour ago, whatever the platform's clock says", { updatedAt: ago(2 * hour) }, ago(hour)],
        ["was completed by a clock that is a minute ahead", { updatedAt: ago(-60_000) }, ago(2 * hour)],
        ["was completed by a clock that is far ahead, and nobody knows when it was started", { updatedAt: ago(-hour) }],
        ["was started before the clock was set back by a minute", {}, ago(-60_000)],
    ] as const) {
        it(`is adopted if it ${what}`, () => {
            assert.equal(refusalOf(job, startedAt), undefined);
        });
    }

    const tooOld = "its export was completed more than 60 minutes ago";
    for (const [what, job, startedAt, refusal] of [
        ["is gone", undefined, ago(0), "the platform no longer has it"],
        ["failed", { status: "failed", error: "out of disk" }, ago(0), "it failed: out of disk"],
        ["failed without a reason", { status: "failed" }, ago(0), "it failed: the platform gives no reason"],
        ["was completed more than an hour ago", { updatedAt: ago(hour + 1) }, undefined, tooOld],
        ["was archived more than an hour ago", { status: "archived", updatedAt: ago(hour + 1) }, undefined, tooOld],
        ["was started more than an hour ago and has no end", {}, ago(hour + 1), tooOld],
        ["ended according to a clock that is too far ahead", { updatedAt: ago(-60_001) }, ago(hour + 1), tooOld],
        ["has no dates", {}, undefined, "the platform does not say how old its export is"],
        [
            "was started before the clock was set back",
            { updatedAt: ago(0) },
            ago(-60_001),
            "this machine's clock has been set back since, so the age of its export is unknown",
        ],
    ] as const) {
        it(`is refused if it ${what}`, () => {
            assert.equal(refusalOf(job, startedAt), refusal);
        });
    }

    it("is adopted at any age and with any end if neither matters for the resource", () => {
        assert.equal(refusalOf({}, undefined, { freshForMs: Infinity }), undefined);
        assert.equal(refusalOf({ status: "failed" }, ago(0), { acceptsFailed: true }), undefined);
        assert.equal(refusalOf({ status: "failed" }, ago(hour + 1), { acceptsFailed: true }), tooOld);
    });
});
