import { type FastifyRequest } from "fastify";
import { Type } from "typebox";
import { type App } from "../http/protocol/typed-app.js";
import { answerForm } from "./answer-form.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { onceOf, Text, valuesOf } from "./form-values.js";
import { agentJobPage, agentJobsPage, viewerOf } from "./page-routes.js";
import { agentJobPath, type PromptValues } from "./pages/agent-pages.js";
import { contextOf } from "./render-page.js";

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

    const form = { schema: { hide: true, body: PromptForm }, attachValidation: true };
    app.post("/agent-jobs", form, (request, reply) => {
        const viewer = viewerOf(request);
        const values = promptOf(request);
        const { project, prompt } = values;
        return answerForm(
            request,
            reply,
            async () => {
                const call = `POST /v2/agent/${encodeURIComponent(project)}/job` as const;
                const { id } = await api.call(viewer, "AgentJob", call, { json: { prompt }, ...onceOf(request) });
                return base() + agentJobPath(project, id);
            },
            (error) => agentJobsPage({ api, viewer, context: contextOf(parts, request), parts }, { values, error }),
        );
    });

    app.post("/agent-jobs/:projectId/:id/message", form, (request, reply) => {
        const viewer = viewerOf(request);
        const params = request.params as { projectId: string; id: string };
        const values = promptOf(request);
        const { prompt } = values;
        return answerForm(
            request,
            reply,
            async () => {
                const { projectId, id } = params;
                const path = `${encodeURIComponent(projectId)}/job/${encodeURIComponent(id)}`;
                const call = `POST /v2/agent/${path}/message` as const;
                await api.call(viewer, "AgentJob", call, { json: { prompt }, ...onceOf(request) });
                return base() + agentJobPath(projectId, id);
            },
            (error) => agentJobPage({ api, viewer, context: contextOf(parts, request), params }, { values, error }),
        );
    });
}

/** Browsers send each end of a line as two characters. */
function promptOf({ body }: FastifyRequest): PromptValues {
    const { project, prompt } = valuesOf(body, "project", "prompt");
    return { project, prompt: prompt.replaceAll("\r\n", "\n") };
}
