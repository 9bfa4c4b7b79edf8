import { type FastifyReply, type FastifyRequest } from "fastify";
import { type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { type Caller } from "../http/protocol/caller.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { awayRefreshSeconds, AwayPage, ErrorPage, SignInPage } from "./pages/sign-in-page.js";
import { type PageContext } from "./pages/parts.js";

declare module "fastify" {
    interface FastifyRequest {
        /** Who has signed in; undefined outside of the signed-in pages. */
        viewer: Caller | undefined;
    }
}

type Based = Pick<DashboardParts, "base" | "cookieSettings" | "oidc">;

export function contextOf({ base, cookieSettings }: Based, request: FastifyRequest, reply: FastifyReply): PageContext {
    if (request.viewer === undefined) {
        throw new Error("This page needs a session.");
    }
    return { base: base(), caller: request.viewer, csrf: reply.generateCsrf(cookieSettings()) };
}

export function sendPage(reply: FastifyReply, page: VNode): FastifyReply {
    return reply.type("text/html; charset=utf-8").send(`<!doctype html>${renderToString(page)}`);
}

export function sendSignInPage(parts: Based, reply: FastifyReply, error?: string): FastifyReply {
    const common = {
        base: parts.base(),
        csrf: reply.generateCsrf(parts.cookieSettings()),
        hasProvider: parts.oidc !== undefined,
    };
    return sendPage(reply, <SignInPage {...common} {...(error === undefined ? {} : { error })} />);
}

/** Says since when a part of the service is away. The page shows nothing else, because nobody's rights are known. */
export function sendAwayPage({ base }: Based, reply: FastifyReply, message: string, since: Date): FastifyReply {
    void reply.code(503).header("retry-after", String(awayRefreshSeconds));
    return sendPage(reply, <AwayPage base={base()} message={message} since={since.toISOString()} />);
}

export function sendErrorPage(
    parts: Based,
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    message: string,
): FastifyReply {
    void reply.code(status);
    return request.viewer === undefined
        ? sendSignInPage(parts, reply, message)
        : sendPage(reply, <ErrorPage context={contextOf(parts, request, reply)} status={status} message={message} />);
}
