import { type FastifyReply, type FastifyRequest } from "fastify";
import { type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { type Caller } from "../http/protocol/caller.js";
import { type DashboardParts } from "./dashboard-parts.js";
import {
    awayRefreshSeconds,
    AwayPage,
    ErrorPage,
    OutsidePage,
    SignInLinkPage,
    SignInPage,
} from "./pages/sign-in-page.js";
import { type PageContext } from "./pages/parts.js";

declare module "fastify" {
    interface FastifyRequest {
        /** Who has signed in; undefined outside of the signed-in pages. */
        viewer: Caller | undefined;
    }
}

type Based = Pick<DashboardParts, "base" | "cookies" | "formTokens" | "oidc" | "signInLinks">;

export function contextOf(parts: Based, request: FastifyRequest): PageContext {
    if (request.viewer === undefined) {
        throw new Error("This page needs a session.");
    }
    return { base: parts.base(), caller: request.viewer, csrf: tokenOf(parts, request), query: queryOf(request) };
}

/** The filters of a page; repeated ones are ignored. */
export function queryOf({ query }: FastifyRequest): Record<string, string | undefined> {
    const entries = Object.entries(query as Record<string, unknown>);
    return Object.fromEntries(
        entries.filter((entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== ""),
    );
}

function tokenOf({ formTokens, cookies }: Based, request: FastifyRequest): string {
    return formTokens.issue(request.cookies[cookies.name("session")]);
}

export function sendPage(reply: FastifyReply, page: VNode): FastifyReply {
    return reply.type("text/html; charset=utf-8").send(`<!doctype html>${renderToString(page)}`);
}

export function sendSignInPage(
    parts: Based,
    request: FastifyRequest,
    reply: FastifyReply,
    { error, next = "/" }: { error?: string; next?: string } = {},
): FastifyReply {
    const common = {
        base: parts.base(),
        csrf: tokenOf(parts, request),
        hasProvider: parts.oidc !== undefined,
        hasLink: parts.signInLinks.isOffered,
        next,
    };
    return sendPage(reply, <SignInPage {...common} {...(error === undefined ? {} : { error })} />);
}

/** Shows a link's button, which redeems it. */
export function sendSignInLinkPage(
    parts: Based,
    request: FastifyRequest,
    reply: FastifyReply,
    link: string,
): FastifyReply {
    return sendPage(reply, <SignInLinkPage base={parts.base()} csrf={tokenOf(parts, request)} link={link} />);
}

/** Says since when a part of the service is away. The page shows nothing else, because nobody's rights are known. */
export function sendAwayPage(
    { base }: Based,
    request: FastifyRequest,
    reply: FastifyReply,
    outage: { message: string; since: string },
): FastifyReply {
    void reply.code(503).header("retry-after", String(awayRefreshSeconds));
    return sendPage(reply, <AwayPage base={base()} isForm={request.method === "POST"} {...outage} />);
}

/** Shows a refusal outside of the dashboard, where nobody has signed in. */
export function sendOutsidePage(reply: FastifyReply, base: string, message: string): FastifyReply {
    return sendPage(reply, <OutsidePage base={base} message={message} />);
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
        ? sendSignInPage(parts, request, reply, { error: message })
        : sendPage(reply, <ErrorPage context={contextOf(parts, request)} status={status} message={message} />);
}
