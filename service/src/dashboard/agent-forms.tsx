import { type FastifyReply, type FastifyRequest } from "fastify";
import { Type } from "typebox";
import { type App } from "../http/protocol/typed-app.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { onceOf, Text, valuesOf } from "./form-values.js";
import { PageError } from "./internal-api.js";
import { agentJobPage, agentJobsPage, viewerOf } from "./page-routes.js";
import { agentJobPath, type PromptValues } from "./pages/agent-pages.js";
import { type Refused } from "./pages/key-fields.js";
import { contextOf, sendPage } from "./render-page.js";

const PromptForm = Type.Object({
    project: Text,
    prompt: Type.String({
        pattern: "\\S",
        maxLength: 100_000,
        description: "a string of 1 to 100,000 characters that says what the agent should do",
    }),
    request: Text,
});

/** Adds the forms that start an agent job and send a message to one. */
export function addAgentForms(app: App, parts: DashboardParts): void {
    const { api, base } = parts;

    /** Sends a prompt, or shows the page of its form again, with what was typed. */
    const send = async (
        request: FastifyRequest,
        reply: FastifyReply,
        act: (values: PromptValues) => Promise<string>,
        show: (refused: Refused<PromptValues>) => ReturnType<typeof agentJobsPage>,
    ): Promise<FastifyReply> => {
        const { project, prompt } = valuesOf(request.body, "project", "prompt");
        // Browsers send each end of a line as two characters.
        const values = { project, prompt: prompt.replaceAll("\r\n", "\n") };
        const refuse = async (status: number, error: string): Promise<FastifyReply> =>
            sendPage(reply.code(status), await show({ values, error }));
        if (request.validationError !== undefined) {
            return refuse(400, request.validationError.message);
        }
        try {
            return await reply.redirect(base() + (await act(values)), 303);
        } catch (error) {
            if (error instanceof PageError && error.statusCode < 500) {
                return refuse(error.statusCode, error.message);
            }
            throw error;
        }
    };

    const form = { schema: { hide: true, body: PromptForm }, attachValidation: true };
    app.post("/agent-jobs", form, (request, reply) => {
        const viewer = viewerOf(request);
        return send(
            request,
            reply,
            async ({ project, prompt }) => {
                const call = `POST /v2/agent/${encodeURIComponent(project)}/job` as const;
                const { id } = await api.call(viewer, "AgentJob", call, { json: { prompt }, ...onceOf(request) });
                return agentJobPath(project, id);
            },
            (refused) => agentJobsPage({ api, viewer, context: contextOf(parts, request), parts }, refused),
        );
    });

    app.post("/agent-jobs/:projectId/:id/message", form, (request, reply) => {
        const viewer = viewerOf(request);
        const params = request.params as { projectId: string; id: string };
        return send(
            request,
            reply,
            async ({ prompt }) => {
                const { projectId, id } = params;
                const path = `${encodeURIComponent(projectId)}/job/${encodeURIComponent(id)}`;
                const call = `POST /v2/agent/${path}/message` as const;
                await api.call(viewer, "AgentJob", call, { json: { prompt }, ...onceOf(request) });
                return agentJobPath(projectId, id);
            },
            (refused) => agentJobPage({ api, viewer, context: contextOf(parts, request), params }, refused),
        );
    });
}
