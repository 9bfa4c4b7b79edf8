import diagnostics from "node:diagnostics_channel";
import { type FastifyInstance } from "fastify";

export interface Route {
    method: string;
    url: string;
}

/** Collects the routes of every service that starts while `use` runs. */
export async function withRouteTable(use: (routes: readonly Route[]) => Promise<void>): Promise<void> {
    const routes: Route[] = [];
    const collect = (message: unknown): void => {
        (message as { fastify: FastifyInstance }).fastify.addHook("onRoute", ({ method, url }) => {
            routes.push(...[method].flat().map((each) => ({ method: each, url })));
        });
    };
    diagnostics.subscribe("fastify.initialization", collect);
    try {
        await use(routes);
    } finally {
        diagnostics.unsubscribe("fastify.initialization", collect);
    }
}
