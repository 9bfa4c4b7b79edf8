import type { FakeClock } from "../../fake-clock.js";
import { type Answer, type Call, FakeServer } from "./fake-server.js";

type UpdateOperation = "start" | "get";

interface FakeUpdate {
    projectId: string;
    endsMs: number;
    /** A build may skip itself: the update then publishes no commit. */
    outcome: "success" | "failure" | "skipped";
    /**
     * The commit that the update publishes: the branch's newest commit when the update fetches, after earlier updates
     * have ended.
     */
    sha: string;
}

const summaries = {
    success: "published",
    failure: "the site does not build",
    skipped: "The build skips this commit (exit code 183): the site stays as it is.",
};

/**
 * The documentation updates of a platform in memory: each takes `updateMs` and publishes the commit that was pushed
 * before it began.
 */
export class FakeUpdates extends FakeServer<UpdateOperation> {
    readonly jobs = new Map<string, FakeUpdate>();
    updateMs = 30_000;
    nextOutcome: FakeUpdate["outcome"] = "success";
    /** The newest commit of the branch. */
    pushed = "1111111111111111111111111111111111111111";
    override honoursKeys = true;
    #started = 0;

    constructor(clock: FakeClock) {
        super(clock, ["start", "get"]);
    }

    protected callOf(method: string, path: string): { operation: UpdateOperation; jobId?: string } {
        return method === "GET" ? { operation: "get", jobId: path.split("/").at(-1)! } : { operation: "start" };
    }

    protected repeat(statusId: string): Answer {
        return { status: 202, json: { statusId } };
    }

    protected handle({ operation, jobId = "" }: Call<UpdateOperation>): Answer & { startedJobId?: string } {
        if (operation === "get") {
            return this.#show(jobId);
        }
        const statusId = `du_${++this.#started}`;
        const endsMs = this.clock.now() + this.updateMs;
        this.jobs.set(statusId, { projectId: "docs", endsMs, outcome: this.nextOutcome, sha: this.pushed });
        return { status: 202, json: { statusId }, startedJobId: statusId };
    }

    #show(statusId: string): Answer {
        const update = this.jobs.get(statusId);
        if (update === undefined) {
            return { status: 404, json: { error: `There is no documentation update ${statusId}.` } };
        }
        const { endsMs, outcome, sha } = update;
        const hasEnded = this.clock.now() >= endsMs;
        return {
            status: 200,
            json: {
                status: hasEnded ? (outcome === "failure" ? outcome : "success") : "in_progress",
                ...(hasEnded ? { endedAt: new Date(endsMs).toISOString() } : {}),
                summary: summaries[outcome],
                logs: ["fetched", "index.md:3: dead link"],
                ...(outcome !== "skipped" && {
                    commit: { sha, ref: "main", message: "Change", filesChanged: { added: ["a.md"] } },
                }),
            },
        };
    }
}
