import { describePlace } from "@pulumi-static-export/contract";
import { type updateStatuses } from "@pulumi-static-export/contract/api";
import { type SiteJob, type SiteJobStatus } from "../exports/site-job.js";
import { type Site } from "../exports/site.js";

const statusOf: Readonly<Record<SiteJobStatus, (typeof updateStatuses)[number]>> = {
    queued: "queued",
    running: "in_progress",
    completed: "success",
    failed: "failure",
};

/** Whether the build of an update has decided that there is nothing to publish. */
function isSkipped({ status, isCancelled, commitDetails }: SiteJob): boolean {
    return status === "failed" && isCancelled && commitDetails?.isSkipped === true;
}

/** An update's job as the status operation returns it. */
export function describeUpdate(job: SiteJob, site: Site | undefined) {
    const hasEnded = job.status === "completed" || job.status === "failed";
    const { author, message, filesChanged } = job.commitDetails ?? {};
    const ref = job.preview?.branch ?? (typeof site?.source === "object" ? site.source.branch : undefined);
    return {
        _id: job.jobId,
        projectId: job.projectId ?? job.domain,
        status: isSkipped(job) ? "success" : statusOf[job.status],
        createdAt: job.createdAt.toISOString(),
        ...(hasEnded ? { endedAt: job.updatedAt.toISOString() } : {}),
        summary: summaryOf(job),
        logs: logsOf(job),
        // Clients take the commit for the published one.
        ...(job.sourceRef === null || isSkipped(job)
            ? {}
            : {
                  commit: {
                      sha: job.sourceRef,
                      ...(ref === undefined ? {} : { ref }),
                      ...(message === undefined ? {} : { message }),
                      ...(filesChanged === undefined ? {} : { filesChanged }),
                  },
              }),
        author: author === undefined ? null : { name: author },
        source: job.startedBy ?? "api",
    };
}

function summaryOf({ status, error, sourceRef, pageCount, preview, domain }: SiteJob): string {
    switch (status) {
        case "queued":
            return "The update waits for its turn.";
        case "running":
            return "The branch is fetched and the site is built.";
        case "failed":
            return error ?? "The update failed.";
        case "completed":
            return sourceRef === null
                ? "The site is a folder: exports take its files as they are."
                : `Commit ${sourceRef} ${preview === null ? "is published" : `can be exported as ${domain}`}: ` +
                      `${pageCount} ${pageCount === 1 ? "page" : "pages"}.`;
    }
}

function logsOf({ warnings, error }: SiteJob): string[] {
    const lines = (warnings?.first ?? []).map((warning) => `${describePlace(warning)}: ${warning.reason}`);
    return error === null ? lines : [...lines, error];
}
