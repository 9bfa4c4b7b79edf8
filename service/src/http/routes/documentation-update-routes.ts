import { type StaticExportJob } from "../../exports/static-export-job.js";
import { type StaticExportStore } from "../../exports/static-export-store.js";
import { type SqlRunner } from "../../database/database.js";
import { type IdempotencyKeys } from "../../jobs/idempotency-keys.js";
import { type ServiceLogger } from "../../shared/logger.js";
import { traceParentOf } from "../../shared/traces.js";
import { describeUpdate } from "../../updates/describe-update.js";
import { findDomainOfProject, type UpdateProjects } from "./find-domain-of-project.js";
import { aboutRequest } from "../protocol/about-request.js";
import { type Caller, describeKey, maySee } from "../protocol/caller.js";
import { RequestError } from "../protocol/request-error.js";
import {
    errorAnswers,
    PreviewBody,
    Shared,
    startAnswerHeaders,
    StartHeaders,
    UpdateParams,
    UpdateProjectParams,
} from "../protocol/schemas.js";
import { type App } from "../protocol/typed-app.js";
import { startOnce } from "./idempotency.js";
import { assertQueueHasRoom, type QueueLimits } from "./queue-room.js";

export interface DocumentationUpdateRoutesOptions extends UpdateProjects, QueueLimits {
    store: StaticExportStore;
    /** Called when an update was queued. */
    onQueued: () => void;
    keys: IdempotencyKeys;
    logger: ServiceLogger;
}

const security = [{ adminApiKey: [] }];
const tags = ["Documentation updates"];

export function addDocumentationUpdateRoutes(app: App, options: DocumentationUpdateRoutesOptions): void {
    const { store, onQueued, keys, sites, logger } = options;

    const expectUpdate = async (statusId: string, caller: Caller): Promise<StaticExportJob> => {
        const job = await store.get(statusId);
        const isReachable = job !== undefined && (maySee(caller, job.domain) || isOfProject(caller, job));
        if (job?.kind !== "update" || !isReachable) {
            throw new RequestError(404, `There is no documentation update ${statusId}.`);
        }
        return job;
    };

    app.post(
        "/v1/project/update/:project",
        {
            config: { operation: "update", scopes: ["update"] },
            schema: {
                operationId: "startDocumentationUpdate",
                summary: "Publish the newest commit of a site's branch",
                tags,
                security,
                headers: StartHeaders,
                params: UpdateProjectParams,
                response: {
                    202: Shared("StartedDocumentationUpdate", "The update is queued.", startAnswerHeaders),
                    ...errorAnswers(400, 401, 403, 404, 413, 415, 422, 429, 500, 503),
                },
            },
        },
        async (request, reply) => {
            const { project: projectId } = request.params;
            const domain = findDomainOfProject(projectId, request.caller, options);
            const isFolder = typeof sites.get(domain)?.source === "string";
            const start = async (transaction: SqlRunner): Promise<string> => {
                if (!isFolder) {
                    await assertQueueHasRoom(store, domain, options, reply, transaction);
                }
                const traceParent = traceParentOf(request.trace);
                const update = { domain, projectId, startedBy: "api", isDone: isFolder, traceParent };
                return (await store.createUpdate(update, transaction)).jobId;
            };
            const hasJob = async (known: string, transaction: SqlRunner): Promise<boolean> =>
                (await store.get(known, transaction)) !== undefined;
            const what = { request, reply, scope: `update ${domain}`, started: { projectId } };
            const statusId = await startOnce(keys, what, { start, hasJob });
            onQueued();
            logger.info(
                `${describeKey(request.caller)} started documentation update ${statusId} of ${domain}.`,
                aboutRequest(request, statusId),
            );
            void reply.code(202);
            return { statusId };
        },
    );

    app.get(
        "/v1/project/update-status/:statusId",
        {
            config: { operation: "update-get", scopes: ["read", "export", "update"] },
            schema: {
                operationId: "getDocumentationUpdate",
                summary: "Get a documentation update's status",
                tags,
                security,
                params: UpdateParams,
                response: {
                    200: Shared("DocumentationUpdate", "The current state of the update."),
                    ...errorAnswers(401, 403, 404, 500, 503),
                },
            },
        },
        async (request) => {
            const job = await expectUpdate(request.params.statusId, request.caller);
            return describeUpdate(job, sites.get(job.domain));
        },
    );

    app.post(
        "/v1/project/preview/:project",
        {
            config: { operation: "update-preview", scopes: ["update"] },
            schema: {
                operationId: "startDocumentationPreview",
                summary: "Preview a branch; this service serves no previews",
                tags,
                security,
                params: UpdateProjectParams,
                body: PreviewBody,
                response: errorAnswers(400, 401, 403, 404, 413, 415, 500, 503),
            },
        },
        (request) => {
            findDomainOfProject(request.params.project, request.caller, options);
            throw new RequestError(
                403,
                "This service serves no previews: deploy the branch as a stack of its own, as examples/preview-site does.",
            );
        },
    );
}

function isOfProject({ projects }: Caller, { projectId }: StaticExportJob): boolean {
    return projectId !== null && (projects?.includes(projectId) ?? true);
}
