import { Type } from "typebox";
import { type App } from "../http/protocol/typed-app.js";
import { answerForm } from "./answer-form.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { linesOf, onceOf, Scopes, Text, valuesOf } from "./form-values.js";
import { findKey, viewerOf } from "./page-routes.js";
import { ChangeKeyPage, changeValuesOf } from "./pages/change-key-page.js";
import { withQuery } from "./pages/parts.js";
import { contextOf } from "./render-page.js";

const ChangeForm = Type.Object({
    scopes: Scopes,
    domains: Text,
    projects: Text,
    expires: Type.Optional(Type.String({ pattern: "^(\\d{4}-\\d\\d-\\d\\d)?$", description: "a day, or empty" })),
    shownExpires: Text,
    request: Text,
});

/** Adds the form that changes what a key may do. */
export function addChangeKeyForm(app: App, parts: DashboardParts): void {
    const { api, base } = parts;
    app.post(
        "/keys/:keyId/change",
        { schema: { hide: true, body: ChangeForm }, attachValidation: true },
        async (request, reply) => {
            const viewer = viewerOf(request);
            const key = await findKey(api, viewer, (request.params as { keyId: string }).keyId);
            const { scopes, ...values } = valuesOf(request.body, "domains", "projects", "expires");
            return answerForm(
                request,
                reply,
                async () => {
                    const { expires } = values;
                    // The day of the form is less exact than the time of the key. The form says which day it showed, so
                    // that a second click asks for the same as the first one.
                    const isSame = expires === (request.body.shownExpires ?? changeValuesOf(key).expires);
                    const json = {
                        scopes,
                        domains: listOf(values.domains),
                        projects: listOf(values.projects),
                        ...(isSame ? {} : { expiresAt: expires === "" ? null : `${expires}T23:59:59Z` }),
                    };
                    const call = `PATCH /v1/keys/${encodeURIComponent(key.id)}` as const;
                    await api.call(viewer, "AdminKey", call, { json, ...onceOf(request) });
                    return withQuery(`${base()}/keys`, { search: key.id });
                },
                (error) => {
                    const context = contextOf(parts, request);
                    return (
                        <ChangeKeyPage {...{ context, key_: key, refused: { values: { scopes, ...values }, error } }} />
                    );
                },
            );
        },
    );
}

/** The list of a key: no entry removes the limit. */
function listOf(text: string): string[] | null {
    const lines = linesOf(text);
    return lines.length === 0 ? null : lines;
}
