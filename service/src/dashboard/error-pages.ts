import { unavailableMessage } from "../http/protocol/error-answers.js";
import { type App } from "../http/protocol/typed-app.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { PageError } from "./internal-api.js";
import { sendAwayPage, sendErrorPage } from "./render-page.js";

/** Answers errors with pages; while a part of the service is away, the page says since when. */
export function addErrorPages(scope: App, parts: DashboardParts): void {
    const outages = new Outages();
    scope.addHook("onResponse", (request, { statusCode }, done) => {
        if (statusCode < 400) {
            outages.succeeded(request.routeOptions.url ?? "");
        }
        done();
    });
    scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
        const unavailable = unavailableMessage(error);
        const status = unavailable === undefined ? (error.statusCode ?? 500) : 503;
        if (status === 503) {
            const message = unavailable ?? error.message;
            const since = outages.failed(message, request.routeOptions.url ?? "", parts.clock());
            return sendAwayPage(parts, request, reply, { message, since: new Date(since).toISOString() });
        }
        const isUnexpected = status >= 500 && unavailable === undefined && !(error instanceof PageError);
        if (isUnexpected) {
            parts.logger.error(`A page failed: ${error.stack ?? error.message}`, { request: request.id });
        }
        const message = isUnexpected ? "The service failed." : (unavailable ?? error.message);
        return sendErrorPage(parts, request, reply, status, message);
    });
}

/** Since when pages cannot be shown, because the database or the storage is away. */
class Outages {
    readonly #known = new Map<string, { since: number; routes: Set<string> }>();

    /** @returns when the first request failed with this message */
    failed(message: string, route: string, now: number): number {
        const outage = this.#known.get(message) ?? { since: now, routes: new Set<string>() };
        outage.routes.add(route);
        this.#known.set(message, outage);
        return outage.since;
    }

    succeeded(route: string): void {
        for (const [message, { routes }] of this.#known) {
            if (routes.has(route)) {
                this.#known.delete(message);
            }
        }
    }
}
