import { createService, migrateDatabase } from "@pulumi-static-export/service";
import { freePort } from "@pulumi-static-export/toolchain";
import assert from "node:assert/strict";
import { join } from "node:path";
import { end, startIdentityProvider } from "../../charts/access/support/sign-in.js";
import { usePostgres } from "../support/postgres.js";
import { adminApiKey, domain, withFolder } from "../support/running-service.js";
import { createViewer, page, type Viewer } from "./support/viewer.js";

const groups = { staff: { scopes: ["read"] } } as const;
const callbackPath = `${page}/sign-in/callback`;

/** Signs in at the provider, and returns the address to which the provider sends the browser back. */
async function passProvider(viewer: Viewer, first: string): Promise<URL> {
    let address = first;
    for (let redirects = 0; redirects < 10 && !address.includes(callbackPath); redirects++) {
        const { status, text, headers } = await viewer.get(address);
        assert.ok(status === 302 || status === 303, `${status}: ${text}`);
        address = new URL(headers.get("location") ?? "", address).href;
    }
    return new URL(address);
}

describe("Two API processes with one identity provider", () => {
    const server = usePostgres();

    /** The second process has the same public address as the first one, as behind a load balancer. */
    async function withReplicas(use: (first: string, second: string) => Promise<void>): Promise<void> {
        const database = await server().createDatabase();
        await migrateDatabase(database);
        const [providerPort, ...ports] = await Promise.all([freePort(), freePort(), freePort()]);
        const [first, second] = ports.map((port) => `http://127.0.0.1:${port}`) as [string, string];
        const issuer = `http://127.0.0.1:${providerPort}`;
        const oidc = { issuer, clientId: "docs", clientSecret: "client-secret", groups };
        const provider = await startIdentityProvider(providerPort, { url: first, path: callbackPath });
        try {
            await withFolder(async (folder) => {
                const sites = { [domain]: join(folder, "site") };
                const common = { sites, adminApiKey, database, oidc, publicUrl: first };
                const services = ports.map((port) =>
                    createService({ ...common, dataDir: join(folder, `data-${port}`) }),
                );
                try {
                    await Promise.all(services.map((service, index) => service.listen({ port: ports[index] ?? 0 })));
                    await use(first, second);
                } finally {
                    await Promise.all(services.map((service) => service.close()));
                }
            });
        } finally {
            await end(provider);
        }
    }

    it("end a sign-in that the other one began, and accept each other's sessions", async () => {
        await withReplicas(async (first, second) => {
            const viewer = createViewer({ service: { url: first } });
            viewer.cookies.set("account", "ann");
            const { headers } = await viewer.get(`${page}/sign-in/provider`);
            const callback = await passProvider(viewer, headers.get("location") ?? "");
            assert.equal((await viewer.get(`${second}${callbackPath}${callback.search}`)).status, 303);
            for (const replica of [first, second]) {
                assert.equal((await viewer.get(`${replica}${page}/sites`)).status, 200);
            }
        });
    });

    it("refuse a code that was used, even with the cookie of its sign-in", async () => {
        await withReplicas(async (first, second) => {
            const viewer = createViewer({ service: { url: first } });
            viewer.cookies.set("account", "ann");
            const { headers } = await viewer.get(`${page}/sign-in/provider`);
            const callback = await passProvider(viewer, headers.get("location") ?? "");
            const thief = createViewer({ service: { url: second } });
            thief.cookies.set("static_export_sign_in", viewer.cookies.get("static_export_sign_in") ?? "");
            assert.equal((await viewer.get(callback.href)).status, 303);
            assert.equal((await thief.get(`${callbackPath}${callback.search}`)).status, 403);
            assert.equal((await thief.get(`${page}/sites`)).status, 303);
        });
    });

    it("refuse a reader without a group", async () => {
        await withReplicas(async (first) => {
            const viewer = createViewer({ service: { url: first } });
            viewer.cookies.set("account", "eve");
            const { headers } = await viewer.get(`${page}/sign-in/provider`);
            const callback = await passProvider(viewer, headers.get("location") ?? "");
            const { status, text } = await viewer.get(callback.href);
            assert.equal(status, 403);
            assert.match(text, /None of your groups may use this service\./);
        });
    });
});
