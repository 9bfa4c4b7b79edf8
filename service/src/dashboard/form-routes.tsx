import { type FastifyReply, type FastifyRequest } from "fastify";
import { Type } from "typebox";
import { type Caller, scopesToSee } from "../http/protocol/caller.js";
import { type App } from "../http/protocol/typed-app.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { addAgentForms } from "./agent-forms.js";
import { addChangeKeyForm } from "./change-key-form.js";
import { addExportAgain, inputOf } from "./export-again.js";
import { PageError } from "./internal-api.js";
import { addKeyForms } from "./key-forms.js";
import { onceOf, textOf, valuesOf } from "./form-values.js";
import { agentJobPath } from "./pages/agent-pages.js";
import { CancelJobPage } from "./pages/job-pages.js";
import { jobPath } from "./pages/job-parts.js";
import { DownloadPage, withQuery } from "./pages/parts.js";
import { detailsOf, viewerOf } from "./page-routes.js";
import { contextOf, sendPage } from "./render-page.js";

const schema = { hide: true };

const CancelForm = Type.Object({
    reason: Type.Optional(Type.String({ maxLength: 300, description: "a string of up to 300 characters" })),
});

/** Adds the forms, which do one operation of the API each. */
export function addFormRoutes(app: App, parts: DashboardParts): void {
    const { api, base } = parts;
    const startExport = async (request: FastifyRequest, reply: FastifyReply, json: object): Promise<FastifyReply> => {
        const call = "POST /v1/static-export/jobs" as const;
        const { jobId } = await api.call(viewerOf(request), "StaticExportJob", call, { json, ...onceOf(request) });
        return reply.redirect(`${base()}/jobs/${jobId}`, 303);
    };

    app.post("/sites/:domain/export", { schema }, async (request, reply) => {
        const { domain } = paramsOf(request);
        return startExport(request, reply, { domain });
    });

    app.post("/sites/:domain/update", { schema }, async (request, reply) => {
        const call = `POST /v1/project/update/${encodeURIComponent(paramsOf(request).domain)}` as const;
        const viewer = viewerOf(request);
        const { statusId } = await api.call(viewer, "StartedDocumentationUpdate", call, onceOf(request));
        // The page of a job is for those who may read exports.
        const page = maySeeDetails(viewer) ? `/jobs/${statusId}` : "/updates";
        return reply.redirect(base() + page, 303);
    });

    const cancelForm = { schema: { hide: true, body: CancelForm }, attachValidation: true };
    app.post("/jobs/:jobId/cancel", cancelForm, async (request, reply) => {
        const { jobId } = paramsOf(request);
        const { reason } = valuesOf(request.body, "reason");
        if (request.validationError !== undefined) {
            const job = await detailsOf(api, viewerOf(request), jobId);
            const refused = { values: { reason }, error: request.validationError.message };
            const context = contextOf(parts, request);
            return sendPage(reply.code(400), <CancelJobPage context={context} job={job} refused={refused} />);
        }
        const path = withQuery(`v1/static-export/jobs/${encodeURIComponent(jobId)}`, { reason: reason.trim() });
        await api.call(viewerOf(request), "StaticExportJob", `DELETE /${path}`);
        return reply.redirect(base() + jobPath({ jobId }), 303);
    });

    app.post("/jobs/:jobId/retry", { schema }, async (request, reply) => {
        const job = await detailsOf(api, viewerOf(request), paramsOf(request).jobId);
        return startExport(request, reply, inputOf(job));
    });

    // A click creates the link, so that no other page contains one.
    app.post("/jobs/:jobId/download", { schema }, async (request, reply) => {
        const jobId = encodeURIComponent(paramsOf(request).jobId);
        const call = `POST /v1/static-export/jobs/${jobId}/bundle` as const;
        const { bundleUrl } = await api.call(viewerOf(request), "StaticExportBundle", call);
        const context = contextOf(parts, request);
        return sendPage(reply, <DownloadPage context={context} back={`/jobs/${jobId}`} url={bundleUrl} />);
    });

    app.post("/agent-jobs/:projectId/:id/archive", { schema }, async (request, reply) => {
        const { projectId, id } = paramsOf(request);
        const path = `v2/agent/${encodeURIComponent(projectId)}/job/${encodeURIComponent(id)}/archive`;
        await api.call(viewerOf(request), "AgentJob", `POST /${path}`);
        return reply.redirect(base() + agentJobPath(projectId, id), 303);
    });

    addExportAgain(app, parts);
    addAgentForms(app, parts);
    addKeyForms(app, parts);
    addChangeKeyForm(app, parts);

    app.post("/sessions/:sessionId/end", { schema }, async (request, reply) => {
        const sessionId = encodeURIComponent(paramsOf(request).sessionId);
        await api.call(viewerOf(request), "Session", `DELETE /v1/sessions/${sessionId}`).catch(unlessGone);
        return reply.redirect(`${base()}/sessions`, 303);
    });

    app.post("/keys/:keyId/revoke", { schema }, async (request, reply) => {
        const path = `v1/keys/${encodeURIComponent(paramsOf(request).keyId)}`;
        const created = textOf(request, "created") === "true" ? "true" : undefined;
        await api.call(viewerOf(request), "AdminKey", `DELETE /${withQuery(path, { created })}`, onceOf(request));
        return reply.redirect(`${base()}/keys`, 303);
    });
}

function maySeeDetails({ scopes }: Caller): boolean {
    return scopes.some((scope) => scopesToSee.export.includes(scope));
}

/** A session that has ended already is what the person wants. */
function unlessGone(error: unknown): void {
    if (!(error instanceof PageError) || error.statusCode !== 404) {
        throw error;
    }
}

type Params = Record<"domain" | "jobId" | "projectId" | "id" | "keyId" | "sessionId", string>;

function paramsOf({ params }: FastifyRequest): Params {
    return params as Params;
}
