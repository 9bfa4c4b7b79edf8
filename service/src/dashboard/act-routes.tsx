import { type FastifyRequest } from "fastify";
import { dayMs } from "../shared/day-ms.js";
import { type App } from "../http/protocol/typed-app.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { agentJobPath } from "./pages/agent-pages.js";
import { NewKeyPage } from "./pages/key-pages.js";
import { viewerOf } from "./page-routes.js";
import { contextOf, sendPage } from "./render-page.js";

const schema = { hide: true };

interface NewKey {
    key: { name: string };
    secret: string;
}

/** Adds the forms, which do one operation of the API each. */
export function addActRoutes(app: App, parts: DashboardParts): void {
    const { api, base, publicUrl, clock } = parts;
    app.addHook("preHandler", (request, reply, done) => {
        if (request.method === "POST") {
            app.csrfProtection(request, reply, done);
        } else {
            done();
        }
    });

    app.post("/sites/:domain/export", { schema }, async (request, reply) => {
        const { domain } = paramsOf(request);
        const json = { domain };
        const { jobId } = await api.call<{ jobId: string }>(viewerOf(request), "POST", "/v1/static-export/jobs", {
            json,
            ...onceOf(request),
        });
        return reply.redirect(`${base()}/jobs/${jobId}`, 303);
    });

    app.post("/sites/:domain/update", { schema }, async (request, reply) => {
        const path = `/v1/project/update/${encodeURIComponent(paramsOf(request).domain)}`;
        const { statusId } = await api.call<{ statusId: string }>(viewerOf(request), "POST", path, onceOf(request));
        return reply.redirect(`${base()}/jobs/${statusId}`, 303);
    });

    app.post("/jobs/:jobId/cancel", { schema }, async (request, reply) => {
        const jobId = encodeURIComponent(paramsOf(request).jobId);
        await api.call(viewerOf(request), "DELETE", `/v1/static-export/jobs/${jobId}`);
        return reply.redirect(`${base()}/jobs/${jobId}`, 303);
    });

    app.post("/agent-jobs", { schema }, async (request, reply) => {
        const project = textOf(request, "project");
        const { id } = await api.call<{ id: string }>(
            viewerOf(request),
            "POST",
            `/v2/agent/${encodeURIComponent(project)}/job`,
            { json: { prompt: textOf(request, "prompt") }, ...onceOf(request) },
        );
        return reply.redirect(base() + agentJobPath(project, id), 303);
    });

    for (const act of ["message", "archive"] as const) {
        app.post(`/agent-jobs/:projectId/:id/${act}`, { schema }, async (request, reply) => {
            const { projectId, id } = paramsOf(request);
            const path = `/v2/agent/${encodeURIComponent(projectId)}/job/${encodeURIComponent(id)}/${act}`;
            const message = { json: { prompt: textOf(request, "prompt") }, ...onceOf(request) };
            await api.call(viewerOf(request), "POST", path, act === "message" ? message : {});
            return reply.redirect(base() + agentJobPath(projectId, id), 303);
        });
    }

    app.post("/keys", { schema }, async (request, reply) => {
        const days = Number(textOf(request, "days"));
        const [domains, projects] = [linesOf(textOf(request, "domains")), linesOf(textOf(request, "projects"))];
        const { scopes = [] } = request.body as { scopes?: string | string[] };
        const json = {
            name: textOf(request, "name"),
            scopes: [scopes].flat(),
            ...(domains.length === 0 ? {} : { domains }),
            ...(projects.length === 0 ? {} : { projects }),
            ...(days > 0 ? { expiresAt: new Date(clock() + days * dayMs).toISOString() } : {}),
        };
        const { key, secret } = await api.call<NewKey>(viewerOf(request), "POST", "/v1/keys", { json });
        const context = contextOf(parts, request, reply);
        return sendPage(
            reply,
            <NewKeyPage context={context} name={key.name} secret={secret} publicUrl={publicUrl()} />,
        );
    });

    app.post("/keys/:keyId/rotate", { schema }, async (request, reply) => {
        const path = `/v1/keys/${encodeURIComponent(paramsOf(request).keyId)}/rotate`;
        const { key, secret } = await api.call<NewKey>(viewerOf(request), "POST", path);
        const context = contextOf(parts, request, reply);
        return sendPage(
            reply,
            <NewKeyPage context={context} name={key.name} secret={secret} publicUrl={publicUrl()} />,
        );
    });

    app.post("/keys/:keyId/revoke", { schema }, async (request, reply) => {
        await api.call(viewerOf(request), "DELETE", `/v1/keys/${encodeURIComponent(paramsOf(request).keyId)}`);
        return reply.redirect(`${base()}/keys`, 303);
    });
}

type Params = Record<"domain" | "jobId" | "projectId" | "id" | "keyId", string>;

function paramsOf({ params }: FastifyRequest): Params {
    return params as Params;
}

function textOf({ body }: FastifyRequest, name: string): string {
    const value = (body as Record<string, unknown> | undefined)?.[name];
    return typeof value === "string" ? value : "";
}

/** Each form has its own key, so that a double click starts one job. */
function onceOf(request: FastifyRequest): { idempotencyKey?: string } {
    const key = textOf(request, "request");
    return /^[\w-]{8,100}$/.test(key) ? { idempotencyKey: key } : {};
}

function linesOf(text: string): string[] {
    return text
        .split(/[\s,]+/)
        .map((line) => line.trim())
        .filter((line) => line !== "");
}
