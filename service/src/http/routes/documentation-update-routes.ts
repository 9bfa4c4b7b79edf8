import { addressOf } from "../../exports/site.js";
import { siteOf } from "../../exports/site-job.js";
import { type AuditLog } from "../../history/audit-log.js";
import { describeUpdate } from "../../updates/describe-update.js";
import { type PreviewDomains, previewDomainOf } from "../../updates/previews.js";
import { findDomainOfProject, type UpdateProjects } from "./find-domain-of-project.js";
import { type Caller, maySee } from "../protocol/caller.js";
import { RequestError } from "../protocol/request-error.js";
import { routesOf } from "../protocol/route.js";
import {
    PreviewBody,
    startAnswerHeaders,
    StartHeaders,
    UpdateParams,
    UpdateProjectParams,
} from "../protocol/schemas.js";
import { type Queue } from "./queue-once.js";
import { logOnce } from "./start-once.js";
import { startUpdate } from "./update-starter.js";

interface DocumentationUpdateRoutesOptions extends UpdateProjects, Queue {
    previewDomains: PreviewDomains;
    audit: AuditLog;
}

const route = routesOf<DocumentationUpdateRoutesOptions>("Documentation updates");

const startDocumentationUpdate = route({
    at: "POST /v1/project/update/:project",
    operation: "update",
    scopes: ["update"],
    id: "startDocumentationUpdate",
    summary: "Publish the newest commit of a site's branch",
    request: { headers: StartHeaders, params: UpdateProjectParams },
    answer: [202, "StartedDocumentationUpdate", "The update is queued.", startAnswerHeaders],
    errors: [404, 422, 429],
    handle: async (request, context, reply) => {
        const { caller } = request;
        const { project: projectId } = request.params;
        const domain = findDomainOfProject(projectId, caller, context);
        const isDone = typeof context.sites.get(domain)?.source === "string";
        const update = { domain, projectId, startedBy: "api", isDone };
        const key = request.headers["idempotency-key"];
        const statusId = await startUpdate({ request, reply, caller, update, key }, context);
        const act = `started documentation update ${statusId} of ${domain}`;
        logOnce(reply, context.audit, request, act, statusId, domain);
        return { statusId };
    },
});

const getDocumentationUpdate = route({
    at: "GET /v1/project/update-status/:statusId",
    operation: "update-get",
    scopes: ["read", "export", "update"],
    id: "getDocumentationUpdate",
    summary: "Get a documentation update's status",
    request: { params: UpdateParams },
    answer: [200, "DocumentationUpdate", "The current state of the update."],
    errors: [404],
    handle: async ({ params: { statusId }, caller }, { store, sites }) => {
        const job = await store.get(statusId);
        const isReachable = job !== undefined && (maySee(caller, siteOf(job)) || isOfProject(caller, job));
        if (job?.kind !== "update" || !isReachable) {
            throw new RequestError(404, `There is no documentation update ${statusId}.`);
        }
        return describeUpdate(job, sites.get(siteOf(job)));
    },
});

const startDocumentationPreview = route({
    at: "POST /v1/project/preview/:project",
    operation: "update-preview",
    scopes: ["update"],
    id: "startDocumentationPreview",
    summary: "Preview a branch: exports of the preview's domain use the branch's newest commit",
    request: { headers: StartHeaders, params: UpdateProjectParams, body: PreviewBody },
    answer: [202, "StartedDocumentationPreview", "The preview is queued.", startAnswerHeaders],
    errors: [404, 422, 429],
    // An unknown project is reported before errors in the body.
    check: ({ params, caller }, context) => void findDomainOfProject(params.project, caller, context),
    handle: async (request, context, reply) => {
        const { caller } = request;
        const { project: projectId } = request.params;
        const { branch } = request.body;
        const site = findDomainOfProject(projectId, caller, context);
        const below = context.previewDomains.get(site);
        if (below === undefined) {
            throw new RequestError(
                403,
                `This service serves no previews of ${site}: start it with --preview-domain ${site}=<domain>, or ` +
                    "deploy the branch as a separate stack, as examples/preview-site does.",
            );
        }
        const domain = previewDomainOf(branch, below);
        const update = { domain, projectId, startedBy: "api", isDone: false, preview: { of: site, branch } };
        const key = request.headers["idempotency-key"];
        const statusId = await startUpdate({ request, reply, caller, update, key }, context);
        const act = `started preview ${statusId} of branch ${branch} of ${site}`;
        logOnce(reply, context.audit, request, act, statusId, domain);
        return { statusId, previewUrl: addressOf(domain, context.sites.get(site)) };
    },
});

export const documentationUpdateRoutes = [startDocumentationUpdate, getDocumentationUpdate, startDocumentationPreview];

function isOfProject({ projects }: Caller, { projectId }: { projectId: string | null }): boolean {
    return projectId !== null && (projects?.includes(projectId) ?? true);
}
