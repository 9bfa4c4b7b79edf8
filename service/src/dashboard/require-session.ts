import { type FastifyReply, type FastifyRequest } from "fastify";
import { type DashboardParts } from "./dashboard-parts.js";
import { withQuery } from "./pages/parts.js";
import { parseReturnPath } from "./sign-in/return-path.js";

/** A page that updates itself sends this header, unless the person has touched it. */
const untouched = "x-untouched";

declare module "fastify" {
    interface FastifyContextConfig {
        /** Whether a page asks by itself, and the person does not. */
        isListening?: boolean;
    }
}

/** Leads a request without a session to the sign-in, and back afterwards. */
export async function requireSession(
    parts: DashboardParts,
    request: FastifyRequest,
    reply: FastifyReply,
): Promise<FastifyReply | undefined> {
    const { sessions, base, cookies, publicUrl } = parts;
    const isUse = request.routeOptions.config.isListening !== true && request.headers[untouched] === undefined;
    const session = await sessions.of(request.cookies[cookies.name("session")], isUse);
    if (session !== undefined) {
        request.viewer = { ...session.caller, address: request.ip, sessionId: session.id };
        return undefined;
    }
    forgetNewKey(parts, request, reply);
    // The address as the router saw it, without the path of the public URL.
    const asked = request.url.slice("/dashboard".length);
    const isForm = request.method === "POST";
    const next = isForm ? pathOfForm(request.headers.referer, publicUrl(), base()) : asked;
    const query = {
        ...(parseReturnPath(next) === next && next !== "/" ? { next } : {}),
        ...(isForm ? { ended: "1" } : {}),
    };
    return reply.redirect(withQuery(`${base()}/sign-in`, query), 303);
}

/** The page of a form, below the dashboard's path; empty if a browser does not say which one it was. */
function pathOfForm(referer: string | undefined, publicUrl: string, base: string): string {
    const page = referer !== undefined && URL.canParse(referer) ? new URL(referer) : undefined;
    return page?.origin === new URL(publicUrl).origin && page.pathname.startsWith(`${base}/`)
        ? page.pathname.slice(base.length) + page.search
        : "";
}

/** Removes the secret of a new key from the browser, which the next person must not see. */
export function forgetNewKey({ cookies }: DashboardParts, request: FastifyRequest, reply: FastifyReply): void {
    if (request.cookies[cookies.name("new_key")] !== undefined) {
        void reply.clearCookie(cookies.name("new_key"), cookies.settings());
    }
}
