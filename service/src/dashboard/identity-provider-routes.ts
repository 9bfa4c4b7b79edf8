import { toOneLine } from "@pulumi-static-export/exporter";
import { type FastifyReply, type FastifyRequest } from "fastify";
import { actorOf } from "../http/protocol/caller.js";
import { type App } from "../http/protocol/typed-app.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { OpenSignIns } from "./open-sign-ins.js";
import { sendSignInPage } from "./render-page.js";
import { enter } from "./sign-in-routes.js";
import { IdentityProvider, SignInError } from "./sign-in/identity-provider.js";
import { type ResolvedOidc } from "./sign-in/oidc-options.js";
import { parseReturnPath } from "./sign-in/return-path.js";

const schema = { hide: true };

/** Adds the two halves of the sign-in with an identity provider. */
export function addProviderRoutes(app: App, parts: DashboardParts, oidc: ResolvedOidc): void {
    const { sessions, base, cookies, publicUrl, audit, logger } = parts;
    const provider = new IdentityProvider(oidc, () => `${publicUrl()}/dashboard/sign-in/callback`);
    const openSignIns = new OpenSignIns(parts);

    const refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply => {
        if (!(error instanceof SignInError)) {
            throw error;
        }
        logger.error(`A sign-in with the identity provider failed: ${error.message}`, { request: request.id });
        return sendSignInPage(parts, request, reply.code(error.isUnavailable ? 503 : 403), {
            error: error.isUnavailable
                ? "The identity provider cannot be reached. Try again later, or sign in with an admin API key."
                : "The identity provider did not confirm the sign-in: start again. The service's log has the reason.",
        });
    };

    app.get("/sign-in/provider", { schema }, async (request, reply) => {
        try {
            const { page, started } = await provider.begin();
            const { next } = request.query as { next?: unknown };
            await openSignIns.add(request, reply, { ...started, next: parseReturnPath(next) });
            return await reply.redirect(page.href, 303);
        } catch (error) {
            return refuse(request, reply, error);
        }
    });

    app.get("/sign-in/callback", { schema }, async (request, reply) => {
        const { search, searchParams } = new URL(request.url, publicUrl());
        const started = await openSignIns.take(request, reply, searchParams.get("state"));
        const isSignedIn = (await sessions.of(request.cookies[cookies.name("session")])) !== undefined;
        if (started === undefined && isSignedIn) {
            return reply.redirect(`${base()}/`, 303);
        }
        if (started === undefined) {
            const error = "The sign-in has expired, or began elsewhere: start again.";
            return sendSignInPage(parts, request, reply.code(403), { error });
        }
        try {
            const person = await provider.finish(search, started);
            const signedIn = sessions.ofPerson(person);
            const { id, name } = person;
            const actor = actorOf({ id: `user:${id}`, name });
            if (signedIn === undefined) {
                audit.add({ ...actor, act: "is in no group that may use the dashboard", request });
                const sent = toOneLine(person.groups.slice(0, 20).join(", "));
                // Anybody with an account at the provider comes here: only operators learn which groups there are.
                const accepted = [...oidc.groups.keys()].join(", ");
                logger.error(
                    `${actor.actor} is in no group that may use the dashboard: the identity provider sent ` +
                        `${sent === "" ? "no group" : sent}, and the groups file has ${accepted}.`,
                    { request: request.id },
                );
                return sendSignInPage(parts, request, reply.code(403), {
                    error: `None of your groups may use this service. The identity provider sent ${
                        sent === "" ? "no group" : `the groups ${sent}`
                    }: ask an operator to compare your groups with the groups file. The service's log names both.`,
                });
            }
            audit.add({ ...actor, act: "signed in to the dashboard", request });
            return await enter(parts, request, reply, { who: signedIn, next: started.next, forMs: oidc.sessionMs });
        } catch (error) {
            return refuse(request, reply, error);
        }
    });
}
