import { type ComparedPage, type DeadLink } from "@pulumi-static-export/exporter/compare";
import { ChangesError, type ChangesReader } from "../../bundle-files/export-changes.js";
import { siteOf } from "../../exports/static-export-job.js";
import { type StaticExportStore } from "../../exports/static-export-store.js";
import { maySee } from "../protocol/caller.js";
import { RequestError } from "../protocol/request-error.js";
import { errorAnswers, Shared, StaticExportJobParams } from "../protocol/schemas.js";
import { type App } from "../protocol/typed-app.js";

export interface ChangesRouteOptions {
    store: Pick<StaticExportStore, "get">;
    changes: ChangesReader;
}

/** An answer contains only the first entries of each list. */
const maxListed = 500;

/** Adds the comparison of an export with the one before. */
export function addChangesRoute(app: App, { store, changes }: ChangesRouteOptions): void {
    app.get(
        "/v1/static-export/jobs/:jobId/changes",
        {
            config: { operation: "changes", scopes: ["read", "export"] },
            schema: {
                operationId: "getExportChanges",
                summary: "Compare a completed export with the completed export of the same pages before it",
                tags: ["Static export"],
                security: [{ adminApiKey: [] }],
                params: StaticExportJobParams,
                response: {
                    200: Shared("ExportChanges", "What changes for readers."),
                    ...errorAnswers(401, 403, 404, 409, 429, 500, 503),
                },
            },
        },
        async ({ params: { jobId }, caller }) => {
            const job = await store.get(jobId);
            if (job?.kind !== "export" || !maySee(caller, siteOf(job))) {
                throw new RequestError(404, `There is no static export job ${jobId}.`);
            }
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
    );
}

function pageOf({ page, title }: ComparedPage) {
    return { page, title };
}

function partOf<From, To>(list: readonly From[], answerOf: (entry: From) => To) {
    return { count: list.length, first: list.slice(0, maxListed).map(answerOf) };
}
