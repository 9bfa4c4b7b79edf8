import { pathOf } from "./error-answers.js";
import { type FastifyReply } from "fastify";
import { type App } from "./typed-app.js";

/** Shows a refusal to a person outside of the dashboard. */
type ShowRefusal = (reply: FastifyReply, message: string) => FastifyReply;

/**
 * Answers requests that match no route, before their body is read: 405 with `Allow` if the path supports other methods,
 * otherwise 404. Call this function before adding routes.
 *
 * @param showRefusal - shows a page to browsers; undefined if the service has no pages
 */
export function addUnknownRouteAnswers(app: App, showRefusal: ShowRefusal | undefined): void {
    const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();
    app.addHook("onRoute", ({ url, method }) => {
        const pattern = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:[a-z]+/gi, "[^/]+")}$`);
        const route = routes.get(url) ?? { pattern, methods: new Set() };
        for (const name of [method].flat()) {
            route.methods.add(name);
        }
        routes.set(url, route);
    });
    app.addHook("onRequest", (request, reply, done) => {
        if (!request.is404) {
            done();
            return;
        }
        const path = pathOf(request.url);
        const found = [...routes.values()].find(({ pattern }) => pattern.test(path));
        const allow = [...(found?.methods ?? [])].sort().join(", ");
        const error =
            found === undefined
                ? `There is no ${request.method} ${path} on this service.`
                : `${path} takes no ${request.method}; it takes ${allow}.`;
        void reply.code(found === undefined ? 404 : 405).headers(found === undefined ? {} : { allow });
        const isPerson = request.method === "GET" && request.headers.accept?.includes("text/html") === true;
        if (!isPerson || showRefusal === undefined) {
            void reply.send({ error });
        } else if (path.startsWith("/dashboard/")) {
            // The dashboard knows who has signed in.
            done();
        } else {
            void showRefusal(reply, error);
        }
    });
}
