import { type ComponentChildren } from "preact";
import { type Answer } from "../../http/protocol/schemas.js";
import { FormError, type Refused } from "./key-fields.js";
import { Csrf, Layout, Once, type PageContext, Time } from "./parts.js";

/** The page that revokes a key names so many keys that it created. */
export const shownMadeKeys = 50;

interface KeyQuestionProps {
    context: PageContext;
    key_: Answer<"AdminKey">;
    /** The active keys that this key created, and those that they created: of many, one more than the page shows. */
    made: readonly Answer<"AdminKey">[];
}

interface RotateKeyPageProps extends Omit<KeyQuestionProps, "made"> {
    refused?: Refused<{ grace: string }>;
}

/** Asks before the secret of a key is replaced. */
export function RotateKeyPage({ context, key_, refused }: RotateKeyPageProps) {
    const error = new FormError(refused?.error, { grace: "grace" });
    return (
        <Layout title={`Rotate ${key_.name}`} context={context} section="/keys" keeps>
            <h1>Rotate key {key_.name}?</h1>
            <p>
                Clients with the earlier secret are refused after the grace period, and sessions that it began end.{" "}
                <LastUse key_={key_} />
            </p>
            <form class="form" method="post" action={`${context.base}/keys/${key_.id}/rotate`}>
                <Csrf context={context} />
                <Once />
                <label>
                    Seconds for which the earlier secret still works
                    <input
                        name="grace"
                        type="number"
                        min={0}
                        max={9_999_999}
                        value={refused?.values.grace ?? "0"}
                        {...error.about("grace")}
                    />
                    {error.at("grace")}
                </label>
                <div class="wide acts">
                    <button class="main">Rotate</button>
                    <a class="button" href={`${context.base}/keys`}>
                        Keep the secret
                    </a>
                </div>
            </form>
        </Layout>
    );
}

/** Asks before a key is revoked, and shows the keys that it made. */
export function RevokeKeyPage({ context, key_, made }: KeyQuestionProps) {
    return (
        <Layout title={`Revoke ${key_.name}`} context={context} section="/keys" keeps>
            <h1>Revoke key {key_.name}?</h1>
            <p>
                Clients with this key are refused from now on, and its sessions end. <LastUse key_={key_} />
            </p>
            <form class="form" method="post" action={`${context.base}/keys/${key_.id}/revoke`}>
                <Csrf context={context} />
                <Once />
                {made.length === 0 ? null : (
                    <label class="check wide">
                        <input type="checkbox" name="created" value="true" />
                        Also revoke the keys that it created:{" "}
                        {made
                            .slice(0, shownMadeKeys)
                            .map(({ name, id }) => `${name} (${id})`)
                            .join(", ")}
                        {made.length > shownMadeKeys ? ", and more" : ""}
                    </label>
                )}
                <div class="wide acts">
                    <button class="danger">Revoke</button>
                    <a class="button" href={`${context.base}/keys`}>
                        Keep the key
                    </a>
                </div>
            </form>
        </Layout>
    );
}

function LastUse({ key_: { lastUsedAt } }: { key_: Answer<"AdminKey"> }) {
    return lastUsedAt === null ? (
        <>It was never used.</>
    ) : (
        <>
            Its last use was at <Time at={lastUsedAt} />.
        </>
    );
}

/** A reload of the page with a new secret comes here. */
export function ShownKeyPage({ context }: { context: PageContext }) {
    return (
        <Layout title="New key" context={context} section="/keys">
            <h1>The secret was already shown</h1>
            <p>
                A secret is shown only once. If you have not copied it, rotate the key on the page of{" "}
                <a href={`${context.base}/keys`}>all keys</a>.
            </p>
        </Layout>
    );
}

interface NewKeyPageProps {
    context: PageContext;
    name: string;
    secret: string;
    /** What is unusual about the key. */
    hint?: string | undefined;
    /** The service's address for clients. */
    publicUrl: string;
}

/** Shows a key for the only time. */
export function NewKeyPage({ context, name, secret, hint, publicUrl }: NewKeyPageProps) {
    return (
        <Layout title={`Key ${name}`} context={context} section="/keys" keeps>
            <h1>Key {name}</h1>
            <div class="note tip">The key is shown only now. Copy it before you leave this page.</div>
            {hint === undefined ? null : <div class="note warning">{hint}</div>}
            <Copied id="key" title="The key">
                {secret}
            </Copied>
            <Copied id="pulumi" title="For a Pulumi stack">
                {`pulumi config set static-export:baseUrl ${publicUrl}\n` +
                    `pulumi config set --secret static-export:adminApiKey ${secret}`}
            </Copied>
            <Copied id="variables" title="For a pipeline">
                {`export STATIC_EXPORT_BASE_URL=${publicUrl}\nexport STATIC_EXPORT_ADMIN_API_KEY=${secret}`}
            </Copied>
            <p>
                <a href={`${context.base}/keys`}>All keys</a>
            </p>
        </Layout>
    );
}

function Copied({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
    return (
        <>
            <h2>{title}</h2>
            <pre id={id} tabIndex={0}>
                {children}
            </pre>
            <p>
                <button type="button" data-copy={id} hidden>
                    Copy
                </button>
            </p>
        </>
    );
}
