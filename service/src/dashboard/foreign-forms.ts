import { type FastifyRequest } from "fastify";
import { type App } from "../http/protocol/typed-app.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { PageError } from "./internal-api.js";

/**
 * Refuses everything that changes something, unless a page of this dashboard sent it: other hosts of the same domain,
 * and other ports of the same machine, can send forms with the session's cookie.
 */
export function refuseForeignForms(scope: App, { publicUrl, formTokens, cookies }: DashboardParts): void {
    scope.addHook("preHandler", async (request) => {
        if (["GET", "HEAD", "OPTIONS"].includes(request.method)) {
            return;
        }
        if (!isOwnRequest(request, publicUrl())) {
            throw new PageError(403, "This form was sent from another site, so nothing was done.");
        }
        const { _csrf: token } = (request.body ?? {}) as { _csrf?: unknown };
        if (!(await formTokens.accepts(token, request.cookies[cookies.name("session")]))) {
            throw new PageError(403, "This form belongs to another session, or is too old: open the page again.");
        }
    });
}

/** Browsers send one of the headers with each form; programs that send neither have the form's token. */
function isOwnRequest({ headers }: FastifyRequest, publicUrl: string): boolean {
    const { "sec-fetch-site": site, origin } = headers;
    if (site !== undefined) {
        return site === "same-origin";
    }
    return origin === undefined || origin === new URL(publicUrl).origin;
}
