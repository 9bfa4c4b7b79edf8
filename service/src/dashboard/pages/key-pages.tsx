import { type ComponentChildren } from "preact";
import { keyScopes } from "../../keys/admin-keys.js";
import { Act, Csrf, Foreign, Layout, type PageContext, Time } from "./parts.js";

export interface KeyAnswer {
    id: string;
    name: string;
    scopes: string[];
    domains: string[] | null;
    projects: string[] | null;
    createdBy: string | null;
    createdAt: string;
    expiresAt: string | null;
    revokedAt: string | null;
    lastUsedAt: string | null;
}

const scopeHelp: Readonly<Record<(typeof keyScopes)[number], string>> = {
    read: "see exports, updates and agent jobs",
    export: "start exports",
    update: "publish commits",
    agent: "use agent jobs",
    keys: "manage keys",
};

interface KeysPageProps {
    context: PageContext;
    keys: readonly KeyAnswer[];
    projects: readonly string[];
    now: number;
}

export function KeysPage({ context, keys, projects, now }: KeysPageProps) {
    return (
        <Layout title="API keys" context={context} section="/keys">
            <h1>API keys</h1>
            <KeyTable context={context} keys={keys} now={now} />
            <h2>Create a key</h2>
            <p class="soft">A field that you leave empty sets no limit.</p>
            <form class="form" method="post" action={`${context.base}/keys`}>
                <Csrf context={context} />
                <label>
                    Name
                    <input
                        name="name"
                        required
                        maxLength={64}
                        pattern="[A-Za-z0-9][A-Za-z0-9_.\-]*"
                        autocomplete="off"
                    />
                </label>
                <label>
                    Days until it expires
                    <input name="days" type="number" min={1} max={3650} />
                </label>
                <fieldset class="wide">
                    <legend>What it may do</legend>
                    {keyScopes
                        .filter((scope) => context.caller.scopes.includes(scope))
                        .map((scope) => (
                            <label class="check">
                                <input type="checkbox" name="scopes" value={scope} checked={scope === "export"} />
                                {scope}: {scopeHelp[scope]}
                            </label>
                        ))}
                </fieldset>
                <label>
                    Domains, one per line
                    <textarea name="domains" rows={3} value={(context.caller.domains ?? []).join("\n")} />
                </label>
                <label>
                    Projects, one per line
                    <textarea name="projects" rows={3} value={(context.caller.projects ?? []).join("\n")} />
                </label>
                <div class="wide">
                    <button class="main">Create</button>
                </div>
            </form>
            {projects.length === 0 ? null : (
                <>
                    <h2>Project ids</h2>
                    <ul>
                        {projects.map((id) => (
                            <li>
                                <code>{id}</code>
                            </li>
                        ))}
                    </ul>
                </>
            )}
        </Layout>
    );
}

function KeyTable({ context, keys, now }: Omit<KeysPageProps, "projects">) {
    if (keys.length === 0) {
        return <p class="soft">There is no key besides the service's own.</p>;
    }
    return (
        <div class="scroll" tabIndex={0} role="region" aria-label="Keys">
            <table>
                <thead>
                    <tr>
                        <th>Name</th>
                        <th>Scopes</th>
                        <th>Reach</th>
                        <th>Created</th>
                        <th>Last use</th>
                        <th>Expires</th>
                        <th>Change</th>
                    </tr>
                </thead>
                <tbody>
                    {keys.map((key) => {
                        const reach = [...(key.domains ?? []), ...(key.projects ?? []).map((id) => `project ${id}`)];
                        const hasExpired = key.expiresAt !== null && Date.parse(key.expiresAt) <= now;
                        const path = `/keys/${key.id}`;
                        return (
                            <tr>
                                <td>
                                    <strong>{key.name}</strong> <code>{key.id}</code>
                                </td>
                                <td>{key.scopes.join(", ")}</td>
                                <td>{reach.length === 0 ? "everything" : reach.join(", ")}</td>
                                <td>
                                    <Time at={key.createdAt} />
                                    {key.createdBy === null ? null : (
                                        <div class="soft">
                                            by <Foreign text={key.createdBy} limit={100} />
                                        </div>
                                    )}
                                </td>
                                <td>{key.lastUsedAt === null ? "never" : <Time at={key.lastUsedAt} />}</td>
                                <td>{key.expiresAt === null ? "never" : <Time at={key.expiresAt} />}</td>
                                <td>
                                    {key.revokedAt !== null ? (
                                        <span class="status revoked">revoked</span>
                                    ) : hasExpired ? (
                                        <span class="status expired">expired</span>
                                    ) : (
                                        <div class="acts">
                                            <Act context={context} action={`${path}/rotate`} title="Rotate" />
                                            <Act
                                                context={context}
                                                action={`${path}/revoke`}
                                                title="Revoke"
                                                look="danger"
                                            />
                                        </div>
                                    )}
                                </td>
                            </tr>
                        );
                    })}
                </tbody>
            </table>
        </div>
    );
}

interface NewKeyPageProps {
    context: PageContext;
    name: string;
    secret: string;
    /** The service's address for clients. */
    publicUrl: string;
}

/** Shows a key for the only time. */
export function NewKeyPage({ context, name, secret, publicUrl }: NewKeyPageProps) {
    return (
        <Layout title={`Key ${name}`} context={context} section="/keys" keeps>
            <h1>Key {name}</h1>
            <div class="note tip">The key is shown only now. Copy it before you leave this page.</div>
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
