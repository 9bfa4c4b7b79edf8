import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import files from "@fastify/static";
import { fileURLToPath } from "node:url";
import { trimTrailing } from "@pulumi-static-export/contract";
import { type FastifyReply } from "fastify";
import { type Cookies, type DashboardOptions, type DashboardParts } from "./dashboard-parts.js";
import { refuseForeignForms } from "./foreign-forms.js";
import { InternalApi } from "./internal-api.js";
import { LiveJobs } from "./live-jobs.js";
import { addErrorPages } from "./error-pages.js";
import { addFormRoutes } from "./form-routes.js";
import { pagePolicy } from "./pages/content-policies.js";
import { OpenSiteRoutes } from "./open-site-routes.js";
import { addPageRoutes } from "./page-routes.js";
import { SignInLinks } from "./sign-in/sign-in-links.js";
import { addProviderRoutes } from "./identity-provider-routes.js";
import { FormTokens } from "./sign-in/form-tokens.js";
import { requireSession } from "./require-session.js";
import { Seal } from "./sign-in/seal.js";
import { sendErrorPage, sendOutsidePage } from "./render-page.js";
import { addSignInRoutes } from "./sign-in-routes.js";

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
    const base = (): string => basePathOf(publicUrl());
    const signInLinks = new SignInLinks(options.clock);
    const parts: DashboardParts = {
        ...options,
        api: new InternalApi(app, tickets),
        live,
        base,
        signInLinks,
        formTokens: new FormTokens(new Seal("form", options)),
        cookies: createCookies(publicUrl, base),
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
            scope.setNotFoundHandler(async (request, reply) => {
                const session = await sessions.of(request.cookies[parts.cookies.name("session")]);
                request.viewer = session?.caller;
                // A button's address, without the button, has the status 405 already.
                const isButton = reply.statusCode === 405;
                const message = isButton ? "Only a button on a page can use this address." : "There is no such page.";
                return sendErrorPage(parts, request, reply, isButton ? 405 : 404, message);
            });
            refuseForeignForms(scope, parts);
            addSignInRoutes(scope, parts);
            if (options.oidc !== undefined) {
                addProviderRoutes(scope, parts, options.oidc);
            }
            await scope.register((signedIn, _options, done) => {
                signedIn.addHook("onRequest", async (request, reply) => requireSession(parts, request, reply));
                addPageRoutes(signedIn, parts);
                addFormRoutes(signedIn, parts);
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

/** The path of the dashboard, as clients see it. */
function basePathOf(publicUrl: string): string {
    return `${trimTrailing(new URL(publicUrl).pathname, "/")}/dashboard`;
}

/** Shows people who are outside of the dashboard that there is nothing, and where the dashboard is. */
export function sendUnknownPage(publicUrl: string, reply: FastifyReply, message: string): FastifyReply {
    void reply.headers(pageHeaders);
    return sendOutsidePage(reply, basePathOf(publicUrl), message);
}

const pageHeaders = {
    "content-security-policy": pagePolicy,
    // Scanners and old browsers read this header instead of the policy's frame-ancestors.
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
};

/** Over TLS, `__Host-` keeps other hosts of the domain from setting a cookie of this name. */
function createCookies(publicUrl: () => string, base: () => string): Cookies {
    const isSecure = (): boolean => publicUrl().startsWith("https:");
    return {
        name: (of) => {
            // Services below different paths of one host have different cookies.
            const place = base().split("/").slice(1, -1).join("_");
            return `${isSecure() ? "__Host-" : ""}static_export_${of}${place === "" ? "" : `_${place}`}`;
        },
        // With `lax`, links from other sites show pages; forms from elsewhere are refused.
        settings: () => ({
            httpOnly: true,
            sameSite: "lax",
            secure: isSecure(),
            path: isSecure() ? "/" : base(),
        }),
    };
}
