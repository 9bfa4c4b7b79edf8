import { type FastifyRequest } from "fastify";
import { type AgentProject } from "../../agents/agent-job-store.js";
import { type Site } from "../../exports/site.js";
import { type AuditLog } from "../../history/audit-log.js";
import {
    type Delivery,
    deliveryKey,
    hasProof,
    isFromForge,
    parsePush,
    type Push,
} from "../../updates/forge-delivery.js";
import { operator } from "../protocol/caller.js";
import { RequestError } from "../protocol/request-error.js";
import { DeliveryBody, errorAnswers, Shared, UpdateProjectParams } from "../protocol/schemas.js";
import { type App } from "../protocol/typed-app.js";
import { findDomainOfProject } from "./find-domain-of-project.js";
import { type Queue } from "./queue-once.js";
import { isReplayed } from "./start-once.js";
import { startUpdate } from "./update-starter.js";

interface ForgeWebhookRouteOptions extends Queue {
    /** The secret with which forges authenticate; if undefined, webhooks are refused. */
    secret: string | undefined;
    audit: AuditLog;
    /** By canonical domain. */
    sites: ReadonlyMap<string, Site>;
    projects: ReadonlyMap<string, AgentProject>;
}

declare module "fastify" {
    interface FastifyRequest {
        /** The bytes of a webhook's body; undefined if the request has no body. */
        rawBody?: Buffer;
    }
}

/** Large enough for a push of 2,048 commits, the most that GitHub lists, with the names of their files. */
const maxBodyBytes = 5 * 1024 * 1024;
const title = { github: "GitHub's webhook", gitlab: "GitLab's webhook" };

/**
 * Starts an update when a forge reports a push to a site's branch. Add this route in a separate Fastify scope, because
 * the scope's bodies are parsed as bytes.
 */
export function addForgeWebhookRoute(app: App, options: ForgeWebhookRouteOptions): void {
    const { secret, audit } = options;
    parseOnlyFromForge(app, secret ?? "");
    app.post(
        "/v1/project/webhook/:project",
        {
            bodyLimit: maxBodyBytes,
            config: { operation: "update-webhook" },
            schema: {
                operationId: "receiveForgeWebhook",
                summary: "Publish what was pushed: a webhook for GitHub, GitLab, Gitea and Forgejo",
                tags: ["Documentation updates"],
                security: [{ forgeSignature: [] }, { forgeToken: [] }],
                params: UpdateProjectParams,
                body: DeliveryBody,
                response: {
                    200: Shared(
                        "IgnoredDelivery",
                        "No update was started: the delivery is about another event or another branch.",
                    ),
                    202: Shared("StartedDocumentationUpdate", "The update is queued."),
                    ...errorAnswers(400, 401, 403, 404, 413, 415, 429, 500, 503),
                },
            },
            onRequest: (request, _reply, done) => {
                if (secret === undefined) {
                    throw new RequestError(
                        403,
                        "This service takes no webhooks: start it with --webhook-secret-file, and give the forge that secret.",
                    );
                }
                if (!hasProof(request.headers)) {
                    throw notFromForge();
                }
                done();
            },
            preValidation: (request, _reply, done) => {
                // A request without a body has not been checked yet.
                if (request.rawBody === undefined && !isFromForge(deliveryOf(request), secret ?? "")) {
                    throw notFromForge();
                }
                done();
            },
        },
        async (request, reply) => {
            const { project: projectId } = request.params;
            const domain = findDomainOfProject(projectId, operator, options);
            const delivery = deliveryOf(request);
            const push = parsePush(delivery);
            const ignored = findReasonToIgnore(push, domain, options.sites.get(domain));
            if (push === undefined || ignored !== undefined) {
                return { ignored: ignored ?? "" };
            }
            const { startedBy } = push;
            const update = { domain, projectId, startedBy, isDone: false };
            const statusId = await startUpdate({ request, reply, update, key: deliveryKey(delivery) }, options);
            const act = `started documentation update ${statusId} of ${domain}`;
            if (!isReplayed(reply)) {
                audit.add({ actor: title[startedBy], act, request, fields: { job: statusId, domain } });
            }
            void reply.code(202);
            return { statusId };
        },
    );
}

/** Anyone can send a body that takes a second to parse, so its sender is checked first. */
function parseOnlyFromForge(app: App, secret: string): void {
    const parseJson = app.getDefaultJsonParser("error", "error");
    app.removeContentTypeParser("application/json");
    app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
        request.rawBody = body as Buffer;
        if (isFromForge(deliveryOf(request), secret)) {
            void parseJson(request, body.toString(), done);
        } else {
            done(notFromForge());
        }
    });
}

function notFromForge(): RequestError {
    return new RequestError(
        401,
        "The delivery does not prove that it is from the forge: send X-Hub-Signature-256 (GitHub) or X-Gitlab-Token " +
            "(GitLab) with the secret of --webhook-secret-file.",
    );
}

function findReasonToIgnore(push: Push | undefined, domain: string, site: Site | undefined): string | undefined {
    const source = site?.source;
    if (push === undefined) {
        return "The delivery does not report a push of a branch.";
    }
    if (typeof source !== "object") {
        return `Site ${domain} is a folder: nothing is fetched from a forge.`;
    }
    const published = source.branch ?? push.defaultBranch;
    const expected = published ?? "the default branch, which the delivery does not name";
    return push.branch === published
        ? undefined
        : `Branch ${push.branch} was pushed, but site ${domain} publishes ${expected}.`;
}

function deliveryOf({ headers, rawBody = Buffer.alloc(0), body }: FastifyRequest): Delivery {
    return { headers, rawBody, body };
}
