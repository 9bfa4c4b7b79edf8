import { type App } from "./protocol/typed-app.js";

const hstsSeconds = 365 * 24 * 3600;

/**
 * Sends the headers that all answers have. Routes replace `cache-control` where clients may store something: other
 * answers contain keys, links and what only some people may see.
 */
export function addCommonHeaders(app: App, publicUrl: () => string): void {
    app.addHook("onRequest", (_request, reply, done) => {
        void reply.headers({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
        if (publicUrl().startsWith("https:")) {
            void reply.header("strict-transport-security", `max-age=${hstsSeconds}`);
        }
        done();
    });
}
