import { type FastifyReply } from "fastify";
import { type App } from "../http/protocol/typed-app.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { sendSignInPage } from "./render-page.js";

export const sessionCookie = "static_export_session";
const schema = { hide: true };

export function addSignInRoutes(app: App, parts: DashboardParts): void {
    const { sessions, base, signInLinks, cookieSettings, logger } = parts;

    const enter = (reply: FastifyReply, session: Parameters<typeof sessions.seal>[0]): FastifyReply =>
        reply.setCookie(sessionCookie, sessions.seal(session), cookieSettings()).redirect(`${base()}/sites`, 303);

    app.get("/sign-in", { schema }, (request, reply) => {
        const { link } = request.query as { link?: unknown };
        if (link === undefined) {
            return sendSignInPage(parts, reply);
        }
        if (typeof link !== "string" || !signInLinks.use(link)) {
            return sendSignInPage(
                parts,
                reply.code(403),
                "The link was used already, or has expired. Sign in with the admin key, which is in the file that " +
                    "static-export serve names when it starts, or restart the service for a new link.",
            );
        }
        logger.info("The operator signed in with the link.", { request: request.id });
        return enter(reply, sessions.ofOperator());
    });

    app.post("/sign-in", { schema, preHandler: (...args) => app.csrfProtection(...args) }, async (request, reply) => {
        const { key } = request.body as { key?: unknown };
        const session = typeof key === "string" ? await sessions.begin(key.trim()) : undefined;
        if (session === undefined) {
            return sendSignInPage(parts, reply.code(401), "The key is unknown, has expired or was revoked.");
        }
        const who = session.kind === "key" ? `Key ${session.id}` : "The operator";
        logger.info(`${who} signed in to the dashboard.`, { request: request.id });
        return enter(reply, session);
    });

    app.post("/sign-out", { schema, preHandler: (...args) => app.csrfProtection(...args) }, (_request, reply) =>
        reply.clearCookie(sessionCookie, cookieSettings()).redirect(`${base()}/sign-in`, 303),
    );
}
