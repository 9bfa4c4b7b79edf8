import { type CookieSerializeOptions } from "@fastify/cookie";
import { type OpenedSites } from "../bundle-files/opened-sites.js";
import { type SiteJobStore } from "../exports/site-job-store.js";
import { type SiteOverview } from "../history/site-overview.js";
import { type AuditLog } from "../history/audit-log.js";
import { type CallerTickets } from "../http/authentication.js";
import { type App } from "../http/protocol/typed-app.js";
import { type LinkSecrets } from "../keys/link-secrets.js";
import { type ServiceLogger } from "../shared/logger.js";
import { type InternalApi } from "./internal-api.js";
import { type LiveJobs } from "./live-jobs.js";
import { type ResolvedOidc } from "./sign-in/oidc-options.js";
import { type Sessions } from "./sign-in/sessions.js";
import { type FormTokens } from "./sign-in/form-tokens.js";
import { type SignInLinks } from "./sign-in/sign-in-links.js";

export interface DashboardOptions {
    /** The app with the API. */
    app: App;
    tickets: CallerTickets;
    sessions: Sessions;
    /** Undefined if people sign in with keys only. */
    oidc: ResolvedOidc | undefined;
    /** Sign cookies. Known once the service listens. */
    secrets: Pick<LinkSecrets, "current" | "accepts">;
    overview: SiteOverview;
    /** The service's address for clients. */
    publicUrl: () => string;
    projects: readonly string[];
    siteJobs: Pick<SiteJobStore, "get">;
    openedSites: OpenedSites;
    audit: AuditLog;
    clock: () => number;
    logger: ServiceLogger;
}

/** The cookies of the dashboard. */
export interface Cookies {
    /** The name of a cookie: over TLS, one that no other host can set. */
    name: (of: "session" | "sign_in" | "new_key") => string;
    settings: () => CookieSerializeOptions;
}

/** What the routes of the pages share. */
export interface DashboardParts extends Omit<DashboardOptions, "app" | "tickets"> {
    api: InternalApi;
    live: LiveJobs;
    /** The path of the dashboard, as clients see it. */
    base: () => string;
    signInLinks: SignInLinks;
    formTokens: FormTokens;
    cookies: Cookies;
}
