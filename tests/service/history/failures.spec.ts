import assert from "node:assert/strict";
import { failuresWithReason, groupFailures } from "../../../service/src/history/failures.js";
import { type JobFilter } from "../../../service/src/history/job-conditions.js";
import { type NumberedJob } from "../../../service/src/history/job-history.js";

/** A history with so many failures, the newest first, of which every tenth has another reason. */
function historyOf(count: number) {
    const asked: JobFilter[] = [];
    const list = (filter: JobFilter) => {
        asked.push(filter);
        const begin = filter.before === undefined ? 0 : count - filter.before;
        const jobs = Array.from({ length: Math.min(filter.limit, count - begin) }, (_, place) => {
            const age = begin + place;
            const error = age % 10 === 0 ? "The disk is full." : `The page ${age}.md cannot be read.`;
            const updatedAt = new Date(10_000 - age);
            return { jobId: `se_${age}`, domain: "d.example.com", previewOf: null, error, updatedAt } as NumberedJob;
        });
        const end = begin + jobs.length;
        return Promise.resolve({ jobs, next: end < count ? count - end : undefined });
    };
    return { list, asked };
}

describe("The groups of failures", () => {
    it("are complete if there are no more failures than are read", async () => {
        const history = historyOf(700);
        const { groups, count, isComplete } = await groupFailures(history, ["export"], { sites: null });
        assert.deepEqual([count, isComplete, history.asked.length], [700, true, 2]);
        assert.deepEqual(
            groups.map((group) => [
                group.reason,
                group.count,
                group.jobId,
                group.lastAt.getTime() - group.firstAt.getTime(),
            ]),
            [
                ["The disk is full.", 70, "se_0", 690],
                ["The page … cannot be read.", 630, "se_1", 698],
            ],
        );
    });

    it("are made of the newest 2000 of each kind, and say so", async () => {
        const history = historyOf(9000);
        const { count, isComplete } = await groupFailures(history, ["export", "update"], { sites: null });
        assert.deepEqual([count, isComplete, history.asked.length], [4000, false, 8]);
        assert.deepEqual(new Set(history.asked.map(({ limit }) => limit)), new Set([500]));
    });
});

describe("The failures with a reason", () => {
    it("are counted up to 1000, as every list of jobs", async () => {
        const countOf = async (failures: number) => {
            const filter = { kind: "export", sites: null, limit: 20 } as const;
            return (await failuresWithReason(historyOf(failures), "The page … cannot be read.", filter)).count;
        };
        assert.deepEqual([await countOf(1000), await countOf(1500)], [900, 1001]);
    });
});
