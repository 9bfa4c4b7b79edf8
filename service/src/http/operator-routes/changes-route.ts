import { type ComparedPage, type DeadLink } from "@pulumi-static-export/exporter/compare";
import { ChangesError, type ChangesReader } from "../../bundle-files/export-changes.js";
import { type SiteJobStore } from "../../exports/site-job-store.js";
import { RequestError } from "../protocol/request-error.js";
import { routesOf } from "../protocol/route.js";
import { StaticExportJobParams } from "../protocol/schemas.js";
import { expectExport } from "../routes/static-export-routes.js";

interface ChangesRouteOptions {
    store: Pick<SiteJobStore, "get">;
    changes: ChangesReader;
}

/** An answer contains only the first entries of each list. */
const maxListed = 500;

/** The comparison of an export with the one before. */
export const changesRoute = routesOf<ChangesRouteOptions>("Static export")({
    at: "GET /v1/static-export/jobs/:jobId/changes",
    operation: "changes",
    scopes: ["read", "export"],
    id: "getExportChanges",
    summary: "Compare a completed export with the previous completed export of the same pages",
    request: { params: StaticExportJobParams },
    answer: [200, "ExportChanges", "What changes for readers."],
    errors: [404, 409, 429],
    handle: async ({ params: { jobId }, caller }, { store, changes }) => {
        const job = await expectExport(jobId, caller, store);
        if (job.status !== "completed") {
            throw new RequestError(409, `Job ${jobId} is ${job.status}: only completed exports can be compared.`);
        }
        try {
            const { before, comparison } = await changes.of(job);
            return {
                jobId,
                before: before?.jobId ?? null,
                added: partOf(comparison.added, pageOf),
                changed: partOf(comparison.changed, pageOf),
                removed: partOf(comparison.removed, pageOf),
                missingRedirects: partOf(comparison.missingRedirects, pageOf),
                becomePublic: partOf(comparison.becomePublic, pageOf),
                becomePrivate: partOf(comparison.becomePrivate, pageOf),
                deadLinks: partOf(comparison.deadLinks, ({ page, href }: DeadLink) => ({ page, href })),
            };
        } catch (error) {
            throw error instanceof ChangesError
                ? new RequestError(error.reason === "gone" ? 409 : 429, error.message)
                : error;
        }
    },
});

function pageOf({ page, title }: ComparedPage) {
    return { page, title };
}

function partOf<From, To>(list: readonly From[], answerOf: (entry: From) => To) {
    return { count: list.length, first: list.slice(0, maxListed).map(answerOf) };
}
