import { siteOf, type StaticExportJob } from "../../exports/static-export-job.js";
import { type ServiceLogger } from "../../shared/logger.js";
import { describeUpdate } from "../../updates/describe-update.js";
import { type PreviewDomains, previewDomainOf } from "../../updates/previews.js";
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
import { startUpdate, type UpdateStarterOptions } from "./update-starter.js";

export interface DocumentationUpdateRoutesOptions extends UpdateProjects, UpdateStarterOptions {
    previewDomains: PreviewDomains;
    logger: ServiceLogger;
}

const security = [{ adminApiKey: [] }];
const tags = ["Documentation updates"];

export function addDocumentationUpdateRoutes(app: App, options: DocumentationUpdateRoutesOptions): void {
    const { store, sites, previewDomains, logger } = options;

    const expectUpdate = async (statusId: string, caller: Caller): Promise<StaticExportJob> => {
        const job = await store.get(statusId);
        const isReachable = job !== undefined && (maySee(caller, siteOf(job)) || isOfProject(caller, job));
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
            const isDone = typeof sites.get(domain)?.source === "string";
            const update = { domain, projectId, startedBy: "api", isDone };
            const { caller } = request;
            const statusId = await startUpdate(
                { request, reply, caller, update, key: request.headers["idempotency-key"] },
                options,
            );
            const starter = describeKey(request.caller);
            logger.info(
                `${starter} started documentation update ${statusId} of ${domain}.`,
                aboutRequest(request, statusId, domain),
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
            return describeUpdate(job, sites.get(siteOf(job)));
        },
    );

    app.post(
        "/v1/project/preview/:project",
        {
            config: { operation: "update-preview", scopes: ["update"] },
            schema: {
                operationId: "startDocumentationPreview",
                summary: "Preview a branch: exports of the preview's domain take its newest commit",
                tags,
                security,
                headers: StartHeaders,
                params: UpdateProjectParams,
                body: PreviewBody,
                response: {
                    202: Shared("StartedDocumentationPreview", "The preview is queued.", startAnswerHeaders),
                    ...errorAnswers(400, 401, 403, 404, 413, 415, 422, 429, 500, 503),
                },
            },
            // An unknown project is reported before errors in the body.
            preValidation: (request, _reply, done) => {
                findDomainOfProject(request.params.project, request.caller, options);
                done();
            },
        },
        async (request, reply) => {
            const { project: projectId } = request.params;
            const { branch } = request.body;
            const site = findDomainOfProject(projectId, request.caller, options);
            const below = previewDomains.get(site);
            if (below === undefined) {
                throw new RequestError(
                    403,
                    `This service serves no previews of ${site}: start it with --preview-domain ${site}=<domain>, or ` +
                        "deploy the branch as a separate stack, as examples/preview-site does.",
                );
            }
            const domain = previewDomainOf(branch, below);
            const preview = { of: site, branch };
            const update = { domain, projectId, startedBy: "api", isDone: false, preview };
            const { caller } = request;
            const statusId = await startUpdate(
                { request, reply, caller, update, key: request.headers["idempotency-key"] },
                options,
            );
            const starter = describeKey(request.caller);
            logger.info(
                `${starter} started preview ${statusId} of branch ${branch} of ${site}.`,
                aboutRequest(request, statusId, domain),
            );
            void reply.code(202);
            return { statusId, previewUrl: `https://${domain}${sites.get(site)?.basePath ?? ""}/` };
        },
    );
}

function isOfProject({ projects }: Caller, { projectId }: StaticExportJob): boolean {
    return projectId !== null && (projects?.includes(projectId) ?? true);
}
