import cookie from "@fastify/cookie";
import csrf from "@fastify/csrf-protection";
import formbody from "@fastify/formbody";
import files from "@fastify/static";
import { fileURLToPath } from "node:url";
import { type FastifyReply, type FastifyRequest } from "fastify";
import { type DashboardOptions, type DashboardParts } from "./dashboard-parts.js";
import { InternalApi } from "./internal-api.js";
import { LiveJobs } from "./live-jobs.js";
import { addErrorPages } from "./error-pages.js";
import { addActRoutes } from "./act-routes.js";
import { pagePolicy } from "./content-policies.js";
import { OpenSiteRoutes } from "./open-site-routes.js";
import { addPageRoutes } from "./page-routes.js";
import { SignInLinks } from "./sign-in/sign-in-links.js";
import { addProviderRoutes } from "./identity-provider-routes.js";
import { addSignInRoutes, sessionCookie } from "./sign-in-routes.js";

/** The pages for people. Everything they show and do is an operation of the API. */
export interface Dashboard {
    /** An address that signs the operator in, once, and for some minutes. Only for people on this machine. */
    createSignInLink(): string;
}

export function addDashboard(options: DashboardOptions): Dashboard {
    const { app, tickets, sessions, overview, publicUrl } = options;
    const live = new LiveJobs({
        unfinished: () => overview.unfinished(),
        callersOf: (cookies) => sessions.callersOf(cookies),
    });
    const base = (): string => `${new URL(publicUrl()).pathname.replace(/\/+$/, "")}/dashboard`;
    const signInLinks = new SignInLinks(options.clock);
    const parts: DashboardParts = {
        ...options,
        api: new InternalApi(app, tickets),
        live,
        base,
        signInLinks,
        cookieSettings: () => ({
            httpOnly: true,
            sameSite: "strict",
            secure: publicUrl().startsWith("https:"),
            path: base(),
        }),
    };
    const openSite = new OpenSiteRoutes(parts);
    void app.register(
        (scope, _options, done) => {
            openSite.addFiles(scope);
            done();
        },
        { prefix: "/dashboard/files" },
    );
    void app.register(
        async (scope) => {
            await scope.register(cookie);
            await scope.register(csrf, { cookieKey: "static_export_csrf" });
            await scope.register(formbody);
            await scope.register(files, {
                root: fileURLToPath(new URL("../../theme/", import.meta.url)),
                prefix: "/assets/",
                cacheControl: false,
            });
            scope.decorateRequest("viewer", undefined);
            scope.addHook("onRequest", (_request, reply, done) => {
                void reply.headers(pageHeaders);
                done();
            });
            scope.addHook("preClose", () => live.close());
            scope.addHook("onClose", () => options.openedSites.close());
            addErrorPages(scope, parts);
            addSignInRoutes(scope, parts);
            if (options.oidc !== undefined) {
                addProviderRoutes(scope, parts, options.oidc);
            }
            await scope.register((signedIn, _options, done) => {
                signedIn.addHook("onRequest", async (request, reply) => requireSession(parts, request, reply));
                addPageRoutes(signedIn, parts);
                addActRoutes(signedIn, parts);
                openSite.addPage(signedIn);
                done();
            });
        },
        { prefix: "/dashboard" },
    );
    return {
        createSignInLink: () => `${publicUrl()}/dashboard/sign-in?link=${signInLinks.create()}`,
    };
}

const pageHeaders = {
    "content-security-policy": pagePolicy,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
};

async function requireSession(
    { sessions, base }: DashboardParts,
    request: FastifyRequest,
    reply: FastifyReply,
): Promise<FastifyReply | undefined> {
    request.viewer = await sessions.callerOf(request.cookies[sessionCookie]);
    return request.viewer === undefined ? reply.redirect(`${base()}/sign-in`, 303) : undefined;
}
