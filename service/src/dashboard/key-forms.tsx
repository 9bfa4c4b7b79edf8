import { beginningOf } from "@pulumi-static-export/contract";
import { type FastifyReply, type FastifyRequest } from "fastify";
import { Type } from "typebox";
import { narrowedTo } from "../http/protocol/caller.js";
import { type Answer } from "../http/protocol/schemas.js";
import { type App } from "../http/protocol/typed-app.js";
import { dayMs } from "../shared/day-ms.js";
import { linesOf, Scopes, Text, valuesOf } from "./form-values.js";
import { answerForm } from "./answer-form.js";
import { type DashboardParts } from "./dashboard-parts.js";
import { findKey, listKeys, ownProjects, viewerOf } from "./page-routes.js";
import { type KeyFormValues, KeysPage } from "./pages/key-pages.js";
import { NewKeyPage, RotateKeyPage, ShownKeyPage } from "./pages/key-secret-pages.js";
import { withQuery } from "./pages/parts.js";
import { contextOf, sendPage } from "./render-page.js";
import { Seal } from "./sign-in/seal.js";

type NewKey = Answer<"NewAdminKey">;

const KeyForm = Type.Object({
    name: Type.String({
        pattern: "^[A-Za-z\\d][\\w.-]{0,63}$",
        description: "a name of up to 64 letters, digits, dots, dashes and underscores",
    }),
    days: Type.Optional(
        Type.String({
            pattern: "^([1-9]\\d{0,2}|[1-2]\\d{3}|3[0-5]\\d\\d|36[0-4]\\d|3650)?$",
            description: "a whole number from 1 to 3650, or empty",
        }),
    ),
    scopes: Scopes,
    domains: Text,
    projects: Text,
    request: Text,
});

const RotateForm = Type.Object({
    grace: Type.Optional(Type.String({ pattern: "^\\d{0,7}$", description: "a number of seconds, or empty" })),
    request: Text,
});

/** How long a repeated click finds the key of the first one. */
const onceMs = 5 * 60_000;
/** A cookie has room for little more. */
const maxHintCharacters = 500;
/** How long the page with the new secret can be opened. */
const shownSeconds = 300;

/** Adds the forms that create a secret, which is shown once, on a page that a reload does not create again. */
export function addKeyForms(app: App, parts: DashboardParts): void {
    const { api, base, publicUrl, clock, cookies } = parts;
    const made = new Map<string, Promise<NewKey>>();
    const seal = new Seal("new key", parts);

    /** A double click creates one key, whose secret both answers show. */
    const once = (request: FastifyRequest, id: string | undefined, make: () => Promise<NewKey>): Promise<NewKey> => {
        const form = `${request.cookies[cookies.name("session")] ?? ""} ${id ?? ""}`;
        const known = id === undefined || id === "" ? undefined : made.get(form);
        if (known !== undefined) {
            return known;
        }
        const key = make();
        made.set(form, key);
        const forget = (): void => void made.delete(form);
        key.then(() => setTimeout(forget, onceMs).unref(), forget);
        return key;
    };

    /** @returns the path of the page with the secret */
    const show = (request: FastifyRequest, reply: FastifyReply, { key, secret, hint }: NewKey): string => {
        const shown: ShownKey = { name: key.name, secret, hint: hint && beginningOf(hint, maxHintCharacters) };
        const value = seal.close({ ...shown, session: request.viewer?.sessionId }, shownSeconds * 1000);
        void reply.setCookie(cookies.name("new_key"), value, { ...cookies.settings(), maxAge: shownSeconds });
        return `${base()}/keys/created`;
    };

    app.get("/keys/created", { schema: { hide: true } }, async (request, reply) => {
        const context = contextOf(parts, request);
        const content = await seal.open(request.cookies[cookies.name("new_key")]);
        const { session, ...shown } = (content ?? {}) as Partial<ShownKey & { session: string }>;
        void reply.clearCookie(cookies.name("new_key"), cookies.settings());
        return sendPage(
            reply,
            isShownKey(shown) && session === request.viewer?.sessionId ? (
                <NewKeyPage context={context} {...shown} publicUrl={publicUrl()} />
            ) : (
                <ShownKeyPage context={context} />
            ),
        );
    });

    app.post("/keys", { schema: { hide: true, body: KeyForm }, attachValidation: true }, async (request, reply) => {
        const viewer = viewerOf(request);
        const values: KeyFormValues = valuesOf(request.body, "name", "days", "domains", "projects");
        return answerForm(
            request,
            reply,
            async () => {
                const [domains, projects] = [linesOf(values.domains), linesOf(values.projects)];
                const json = {
                    name: values.name,
                    scopes: values.scopes,
                    ...(domains.length === 0 ? {} : { domains }),
                    ...(projects.length === 0 ? {} : { projects }),
                    ...(values.days === ""
                        ? {}
                        : { expiresAt: new Date(clock() + Number(values.days) * dayMs).toISOString() }),
                };
                const make = () => api.call(viewer, "NewAdminKey", "POST /v1/keys", { json });
                // A person who changes the form after the way back wants another key.
                const form = request.body.request && `${request.body.request} ${JSON.stringify(values)}`;
                return show(request, reply, await once(request, form, make));
            },
            async (error) => {
                const context = contextOf(parts, request);
                const list = await listKeys(api, viewer, context);
                const projects = ownProjects(narrowedTo(["keys"], viewer), parts.projects);
                const refused = { values, error };
                return <KeysPage {...{ context, list, projects, refused }} now={clock()} />;
            },
        );
    });

    addRotateForm(app, parts, async (request, reply, id, make) =>
        reply.redirect(show(request, reply, await once(request, id, make)), 303),
    );
}

/** Sends a new secret, once for each form. */
type SendSecret = (
    request: FastifyRequest,
    reply: FastifyReply,
    form: string | undefined,
    make: () => Promise<NewKey>,
) => Promise<FastifyReply>;

function addRotateForm(app: App, parts: DashboardParts, send: SendSecret): void {
    const { api } = parts;
    const rotateForm = { schema: { hide: true, body: RotateForm }, attachValidation: true };
    app.post("/keys/:keyId/rotate", rotateForm, async (request, reply) => {
        const { keyId } = request.params as { keyId: string };
        const { grace } = valuesOf(request.body, "grace");
        if (request.validationError !== undefined) {
            const key = await findKey(api, viewerOf(request), keyId);
            const refused = { values: { grace }, error: request.validationError.message };
            const context = contextOf(parts, request);
            return sendPage(reply.code(400), <RotateKeyPage context={context} key_={key} refused={refused} />);
        }
        const path = withQuery(`v1/keys/${encodeURIComponent(keyId)}/rotate`, { graceSeconds: grace });
        const make = () => api.call(viewerOf(request), "NewAdminKey", `POST /${path}`);
        return send(request, reply, request.body.request, make);
    });
}

interface ShownKey {
    name: string;
    secret: string;
    hint?: string | undefined;
}

function isShownKey(shown: Partial<ShownKey>): shown is ShownKey {
    return shown.name !== undefined && shown.secret !== undefined;
}
