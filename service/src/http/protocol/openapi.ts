import swagger from "@fastify/swagger";
import { type App } from "./typed-app.js";

/**
 * Serves the OpenAPI document, generated from the schemas that validate requests. Call this function before adding
 * routes.
 */
export function addOpenApi(app: App, publicUrl: () => string): void {
    void app.register(swagger, {
        openapi: {
            openapi: "3.1.0",
            info: {
                title: "Administrative documentation service",
                description: "Agent jobs and static export.",
                version: "2.0.0",
            },
            components: {
                securitySchemes: {
                    adminApiKey: { type: "http", scheme: "bearer", description: "An admin API key." },
                    forgeSignature: {
                        type: "apiKey",
                        in: "header",
                        name: "X-Hub-Signature-256",
                        description:
                            "The HMAC of the body with the webhooks' secret, as GitHub, Gitea and Forgejo send it.",
                    },
                    forgeToken: {
                        type: "apiKey",
                        in: "header",
                        name: "X-Gitlab-Token",
                        description: "The webhooks' secret, as GitLab sends it.",
                    },
                },
            },
        },
        refResolver: {
            buildLocalReference: (schema, _baseUri, _fragment, index) =>
                typeof schema["$id"] === "string" ? schema["$id"] : `schema-${index}`,
        },
        transformObject: (document) =>
            "openapiObject" in document
                ? { ...document.openapiObject, servers: [{ url: publicUrl() }] }
                : document.swaggerObject,
    });
    app.get("/openapi.json", { schema: { hide: true } }, () => app.swagger());
}
