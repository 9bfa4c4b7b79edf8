import { pathOf } from "./error-answers.js";
import { type App } from "./typed-app.js";

/**
 * Answers requests that match no route, before their body is read: 405 with `Allow` if the path supports other methods,
 * otherwise 404. Call this function before adding routes.
 */
export function addUnknownRouteAnswers(app: App): void {
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
        if (found === undefined) {
            void reply.code(404).send({ error: `There is no ${request.method} ${path} on this service.` });
            return;
        }
        const allow = [...found.methods].sort().join(", ");
        void reply
            .code(405)
            .header("allow", allow)
            .send({ error: `${path} takes no ${request.method}; it takes ${allow}.` });
    });
}
