import assert from "node:assert/strict";
import type { JobRuntime } from "../../../provider/src/jobs/runtime.js";
import { BundleLifecycle } from "../../../provider/src/static-export-bundle/lifecycle.js";
import { type BundleInputs, type BundleState, exportOf } from "../../../provider/src/static-export-bundle/model.js";
import { FakePlatform, type Operation } from "../support/fake-platform.js";
import { adminApiKey } from "../support/provider-fixture.js";
import type { BundlePlatform, BundleSchedule, BundleStep } from "./bundle-schedule.js";
import { Rehearsal } from "./rehearsal.js";

const clockToleranceMs = 5_000;

/** The lifetime of a `StaticExportBundle`. */
export class BundleRehearsal extends Rehearsal<BundleInputs, BundleState, Operation, BundlePlatform, FakePlatform> {
    protected readonly calmPlatform: BundlePlatform = {
        job: { ms: 30_000, outcome: "completed" },
        linkTtlMs: 3600_000,
    };

    constructor(schedule: BundleSchedule, workFolder: string) {
        super(schedule, {
            workFolder,
            type: "StaticExportBundle",
            program: { domain: "docs.example.com" },
            createServer: (clock) => new FakePlatform(clock),
            rules: {
                keyOf: (program) => JSON.stringify(exportOf(program as BundleInputs)),
                freshForMs: 3600_000,
                adviceOnUnanswered: /adopt it by setting its jobId/,
            },
            subject: /docs\.example\.(com|org)/,
        });
    }

    protected createLifecycle(runtime: JobRuntime): BundleLifecycle {
        return new BundleLifecycle(runtime);
    }

    protected configure({ job, linkTtlMs }: BundlePlatform): void {
        this.server.jobMs = job.ms;
        this.server.nextOutcome = job.outcome;
        this.server.linkTtlMs = linkTtlMs;
    }

    protected hasFailed(jobId: string): boolean {
        const job = this.server.jobs.get(jobId);
        return job?.outcome !== "completed" && this.clock.now() >= (job?.endsMs ?? 0);
    }

    protected effectOf(jobId: string): string {
        return jobId;
    }

    protected mostStartsOf({ jobId }: BundleInputs): number {
        return jobId === undefined ? 1 : 0;
    }

    protected calmEdit(): BundleStep["edit"] {
        const { jobId } = this.program;
        const isGone = jobId !== undefined && this.server.jobs.get(jobId)?.outcome !== "completed";
        return { timeoutSeconds: null, ...(isGone ? { jobId: null } : {}) };
    }

    protected assertEnd({ jobId, bundleUrl, pendingJobId }: BundleState): void {
        assert.ok(jobId && bundleUrl, "there is no bundle");
        assert.equal(pendingJobId, undefined);
        if (!this.named.has(jobId)) {
            const exported = exportOf(this.startedFor.get(jobId)!);
            assert.deepEqual(exported, exportOf(this.program), "the bundle is one of other inputs");
        }
    }

    protected planAtRest(): "same" | "update" | undefined {
        const { renewLink, renewBeforeSeconds = 0 } = this.program;
        const { expiresAt, linkLifetimeSeconds = Infinity } = this.engine.resource!.outputs;
        // A renewal period that is longer than the links' lifetime counts as half of that lifetime.
        const noticeSeconds = renewBeforeSeconds >= linkLifetimeSeconds ? linkLifetimeSeconds / 2 : renewBeforeSeconds;
        const expiresInMs =
            renewLink === false || expiresAt === undefined
                ? Infinity
                : Date.parse(expiresAt) - noticeSeconds * 1000 - this.clock.now() - this.schedule.skewMs;
        // The platform's clock has only whole seconds.
        return Math.abs(expiresInMs) <= clockToleranceMs ? undefined : expiresInMs > 0 ? "same" : "update";
    }

    protected secretsIn(text: string): boolean {
        return text.includes(adminApiKey) || text.includes("signature=");
    }

    protected shownOf({ bundleUrl: _secret, ...outputs }: BundleState): object {
        return outputs;
    }
}
