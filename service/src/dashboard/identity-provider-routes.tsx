import { type FastifyReply } from "fastify";
import { type App } from "../http/protocol/typed-app.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { SignedInPage } from "./pages/sign-in-page.js";
import { sendPage, sendSignInPage } from "./render-page.js";
import { IdentityProvider, SignInError, type StartedSignIn } from "./sign-in/identity-provider.js";
import { type ResolvedOidc } from "./sign-in/oidc-options.js";
import { Seal } from "./sign-in/seal.js";
import { sessionCookie } from "./sign-in-routes.js";

const schema = { hide: true };
const startedCookie = "static_export_sign_in";
/** How long a person may take at the provider. */
const startedMs = 15 * 60_000;

/** Adds the two halves of the sign-in with an identity provider. */
export function addProviderRoutes(app: App, parts: DashboardParts, oidc: ResolvedOidc): void {
    const { sessions, base, cookieSettings, publicUrl, logger } = parts;
    const provider = new IdentityProvider(oidc, () => `${publicUrl()}/dashboard/sign-in/callback`);
    const seal = new Seal("sign-in", parts);
    // The provider sends the browser back from another site, with which browsers send no strict cookie.
    const startedSettings = () => ({ ...cookieSettings(), sameSite: "lax" as const, path: `${base()}/sign-in` });

    const refuse = (reply: FastifyReply, request: string, error: unknown): FastifyReply => {
        if (!(error instanceof SignInError)) {
            throw error;
        }
        logger.error(`A sign-in with the identity provider failed: ${error.message}`, { request });
        return sendSignInPage(
            parts,
            reply.code(error.isUnavailable ? 503 : 403),
            error.isUnavailable
                ? "The identity provider cannot be reached. Try again later, or sign in with an admin API key."
                : "The identity provider did not confirm the sign-in: start again. The service's log has the reason.",
        );
    };

    app.get("/sign-in/provider", { schema }, async (request, reply) => {
        try {
            const { page, started } = await provider.begin();
            return await reply
                .setCookie(startedCookie, seal.close(started, startedMs), startedSettings())
                .redirect(page.href, 303);
        } catch (error) {
            return refuse(reply, request.id, error);
        }
    });

    app.get("/sign-in/callback", { schema }, async (request, reply) => {
        const started = (await seal.open(request.cookies[startedCookie])) as StartedSignIn | undefined;
        void reply.clearCookie(startedCookie, startedSettings());
        if (started === undefined) {
            return sendSignInPage(parts, reply.code(403), "The sign-in has expired, or began elsewhere: start again.");
        }
        try {
            const person = await provider.finish(new URL(request.url, publicUrl()).search, started);
            const who = `Person ${person.name} (${person.id})`;
            const session = sessions.ofPerson(person);
            if (session === undefined) {
                logger.info(`${who} is in no group that may use the dashboard.`, { request: request.id });
                return sendSignInPage(parts, reply.code(403), "None of your groups may use this service.");
            }
            logger.info(`${who} signed in to the dashboard.`, { request: request.id });
            void reply.setCookie(sessionCookie, sessions.seal(session, oidc.sessionMs), cookieSettings());
            return sendPage(reply, <SignedInPage base={base()} />);
        } catch (error) {
            return refuse(reply, request.id, error);
        }
    });
}
