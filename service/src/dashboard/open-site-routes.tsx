import files from "@fastify/static";
import { type FastifyReply, type FastifyRequest } from "fastify";
import { fileURLToPath } from "node:url";
import { findFile, OpenSiteError } from "../bundle-files/opened-sites.js";
import { shownStatusOf } from "../exports/site-job.js";
import { logAct } from "../http/protocol/caller.js";
import { type App } from "../http/protocol/typed-app.js";
import { framePolicy, sitePolicy } from "./pages/content-policies.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { PageError } from "./internal-api.js";
import { detailsOf, viewerOf } from "./page-routes.js";
import { OpenSitePage } from "./pages/open-site-page.js";
import { contextOf, sendPage } from "./render-page.js";
import { Seal } from "./sign-in/seal.js";

const schema = { hide: true };
/** For how long a person can look at a site, as with a link to its bundle. */
const openMs = 30 * 60_000;

/**
 * Serves the files of exports to people who have signed in. Browsers send no cookie with the requests of a page whose
 * origin is its own, so the address of the files contains a signed token instead: for one export, and some minutes.
 */
export class OpenSiteRoutes {
    readonly #parts: DashboardParts;
    readonly #tokens: Seal;

    constructor(parts: DashboardParts) {
        this.#parts = parts;
        this.#tokens = new Seal("site", parts);
    }

    /** Adds the page with the frame, for people who have signed in. */
    addPage(app: App): void {
        const { api, base, audit } = this.#parts;
        app.get("/jobs/:jobId/open", { schema }, async (request, reply) => {
            const { jobId = "" } = request.params as { jobId?: string };
            const job = await detailsOf(api, viewerOf(request), jobId);
            if (job.status !== "completed") {
                const status = shownStatusOf(job.status, job.cancelled);
                throw new PageError(409, `Job ${jobId} is ${status}: only completed exports have files.`);
            }
            const act = `opened the files of export job ${job.jobId} of ${job.domain}`;
            logAct(audit, { id: request.id, ip: request.ip, caller: viewerOf(request) }, act, job.jobId, job.domain);
            const address = `${base()}/files/${this.#tokens.close({ jobId: job.jobId }, openMs)}/index.html`;
            void reply.header("content-security-policy", framePolicy);
            return sendPage(
                reply,
                <OpenSitePage context={contextOf(this.#parts, request)} job={job} address={address} />,
            );
        });
    }

    /** Adds the files, which need only the token in their address. */
    addFiles(app: App): void {
        void app.register(files, {
            root: fileURLToPath(new URL("../../theme/", import.meta.url)),
            serve: false,
            cacheControl: false,
        });
        app.addHook("onRequest", (_request, reply, done) => {
            void reply.headers({
                "content-security-policy": sitePolicy,
                // Fonts and modules are requested from the site's own origin, without cookies.
                "access-control-allow-origin": "*",
                "referrer-policy": "no-referrer",
                "cache-control": "private, max-age=600",
            });
            done();
        });
        app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
            const status = error instanceof OpenSiteError ? 409 : (error.statusCode ?? 500);
            if (status >= 500) {
                this.#parts.logger.error(`A file of a site failed: ${error.message}`, { request: request.id });
            }
            return sendText(reply, status, status >= 500 ? "The service failed." : error.message);
        });
        app.get("/:token/*", { schema, config: { isSecret: true } }, (request, reply) =>
            this.#sendFile(request, reply),
        );
    }

    async #sendFile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
        const { token = "", "*": path = "" } = request.params as Record<"token" | "*", string | undefined>;
        const { jobId } = ((await this.#tokens.open(token)) ?? {}) as { jobId?: string };
        if (jobId === undefined) {
            return sendText(reply, 403, "This address has expired: go back to the dashboard, and open the site again.");
        }
        const { siteJobs, openedSites, base } = this.#parts;
        const job = await siteJobs.get(jobId);
        if (job === undefined || job.sha256 === null || job.sizeBytes === null) {
            return sendText(reply, 404, "The export was removed.");
        }
        const folder = await openedSites.open({ sha256: job.sha256, sizeBytes: job.sizeBytes });
        const file = await findFile(folder, path);
        if (file === undefined) {
            return sendText(reply, 404, "The export does not contain this page.");
        }
        // Links of a page are relative to its file.
        return file === path
            ? reply.sendFile(file, folder)
            : reply.redirect(`${base()}/files/${token}/${file.split("/").map(encodeURIComponent).join("/")}`, 302);
    }
}

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
    return reply.code(status).type("text/plain; charset=utf-8").header("cache-control", "no-store").send(text);
}
