import { type FastifyReply, type FastifyRequest } from "fastify";
import { Type } from "typebox";
import { actorOf, type Caller, operator } from "../http/protocol/caller.js";
import { type App } from "../http/protocol/typed-app.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { Text, textOf } from "./form-values.js";
import { sendSignInLinkPage, sendSignInPage } from "./render-page.js";
import { forgetNewKey } from "./require-session.js";
import { parseReturnPath } from "./sign-in/return-path.js";
import { type SignedIn } from "./sign-in/sessions.js";
import { SignInLimits } from "./sign-in/sign-in-limits.js";

const schema = { hide: true };

const SignInForm = Type.Object({
    key: Type.String({ pattern: "\\S", maxLength: 1000, description: "an admin API key" }),
    next: Text,
});

function whatToShow(next: unknown, ended: unknown) {
    const error =
        "Your session has ended, so nothing was done. Sign in, go back in your browser until you see the form with " +
        "everything that you typed, and send it again.";
    return { next: parseReturnPath(next), ...(ended === "1" ? { error } : {}) };
}

export function addSignInRoutes(app: App, parts: DashboardParts): void {
    const { sessions, base, signInLinks, cookies, audit } = parts;
    const limits = new SignInLimits();

    /** Refuses a sign-in, and records that, unless there were too many. */
    const refuse = (
        request: FastifyRequest,
        reply: FastifyReply,
        { act, next = "/", ...refusal }: { act: string; status: number; error: string; next?: string },
    ): FastifyReply => {
        const waitSeconds = limits.failed(request.ip);
        if (waitSeconds === 0) {
            audit.add({ actor: "Somebody", act, request });
            return sendSignInPage(parts, request, reply.code(refusal.status), { error: refusal.error, next });
        }
        const minutes = Math.ceil(waitSeconds / 60);
        const error = `${refusal.error} There were too many failed sign-ins: try again in ${minutes} minutes, or with a valid key.`;
        void reply.code(429).header("retry-after", String(waitSeconds));
        return sendSignInPage(parts, request, reply, { error, next });
    };

    app.get("/sign-in", { schema }, async (request, reply) => {
        const { link, next, ended } = request.query as Partial<Record<"link" | "next" | "ended", unknown>>;
        // Scanners and previews follow links: only the button on the page redeems one.
        if (typeof link === "string") {
            return sendSignInLinkPage(parts, request, reply, link);
        }
        const isSignedIn = (await sessions.of(request.cookies[cookies.name("session")])) !== undefined;
        return isSignedIn
            ? reply.redirect(base() + parseReturnPath(next), 303)
            : sendSignInPage(parts, request, reply, whatToShow(next, ended));
    });

    app.post("/sign-in/link", { schema }, async (request, reply) => {
        if (!signInLinks.use(textOf(request, "link"), textOf(request, "request"))) {
            if ((await sessions.of(request.cookies[cookies.name("session")])) !== undefined) {
                return reply.redirect(`${base()}/`, 303);
            }
            return refuse(request, reply, {
                act: "was refused with a sign-in link",
                status: 403,
                error:
                    "The link was already used, or has expired. Sign in with the admin key (static-export serve " +
                    "prints the path of its file when it starts), or restart the service for a new link.",
            });
        }
        audit.add({ ...actorOf(operator), act: "signed in with the link", request });
        return enter(parts, request, reply, { who: sessions.ofOperator() });
    });

    const signInForm = { schema: { hide: true, body: SignInForm }, attachValidation: true };
    app.post("/sign-in", signInForm, async (request, reply) => {
        const next = parseReturnPath(textOf(request, "next"));
        if (request.validationError !== undefined) {
            const error = request.validationError.message;
            return sendSignInPage(parts, request, reply.code(400), { error, next });
        }
        const who = await sessions.identify(textOf(request, "key").trim());
        if (who === undefined) {
            const error = "The key is unknown, has expired or was revoked.";
            return refuse(request, reply, { act: "failed to sign in to the dashboard", status: 401, error, next });
        }
        const actor = actorOf(who.kind === "key" ? who : operator);
        audit.add({ ...actor, act: "signed in to the dashboard", request });
        return enter(parts, request, reply, { who, next });
    });

    addSignOut(app, parts);
}

function addSignOut(app: App, parts: DashboardParts): void {
    const { base, cookies, audit } = parts;
    app.post("/sign-out", { schema }, async (request, reply) => {
        const caller = await endSession(parts, request);
        if (caller !== undefined) {
            audit.add({ ...actorOf(caller), act: "signed out of the dashboard", request });
        }
        forgetNewKey(parts, request, reply);
        return reply.clearCookie(cookies.name("session"), cookies.settings()).redirect(`${base()}/sign-in`, 303);
    });
}

interface Entering {
    who: SignedIn;
    /** The page to show. @default the first one */
    next?: unknown;
    forMs?: number;
}

/** Begins a session. The one before, if there is one, must not stay behind. */
export async function enter(
    parts: DashboardParts,
    request: FastifyRequest,
    reply: FastifyReply,
    { who, next, forMs }: Entering,
): Promise<FastifyReply> {
    const { sessions, base, cookies } = parts;
    await endSession(parts, request);
    const cookie = await sessions.begin(who, request.ip, forMs);
    forgetNewKey(parts, request, reply);
    return reply
        .setCookie(cookies.name("session"), cookie, cookies.settings())
        .redirect(base() + parseReturnPath(next), 303);
}

/** Ends the session of a request's cookie. @returns whose it was */
async function endSession({ sessions, cookies }: DashboardParts, request: FastifyRequest): Promise<Caller | undefined> {
    const session = await sessions.of(request.cookies[cookies.name("session")]);
    if (session !== undefined) {
        await sessions.end(session.id);
    }
    return session?.caller;
}
