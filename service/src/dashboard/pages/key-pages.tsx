import { shownIdOf } from "../../http/protocol/caller.js";
import { type Answer } from "../../http/protocol/schemas.js";
import { listReach } from "../../keys/key-reach.js";
import { FormError, type Refused, RightFields, type RightValues } from "./key-fields.js";
import { Csrf, Empty, FilterForm, Foreign, Layout, Once, type PageContext, Pages, Table, Time } from "./parts.js";

interface KeysPageProps {
    context: PageContext;
    list: Answer<"AdminKeyList">;
    projects: readonly string[];
    now: number;
    refused?: Refused<KeyFormValues> | undefined;
}

/** The fields of the form, as they were typed. */
export interface KeyFormValues extends RightValues {
    name: string;
    days: string;
}

export function KeysPage({ context, list, projects, now, refused }: KeysPageProps) {
    return (
        <Layout title="API keys" context={context} section="/keys">
            <h1>API keys</h1>
            <FilterForm action={`${context.base}/keys`}>
                <label>
                    Find a key
                    <input type="search" name="search" value={context.query["search"] ?? ""} />
                </label>
                <button>Search</button>
            </FilterForm>
            <KeyTable context={context} keys={list.keys} now={now} />
            <Pages context={context} path="/keys" next={list.next} />
            <h2>Create a key</h2>
            <KeyForm context={context} refused={refused} />
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

function KeyForm({ context, refused }: Pick<KeysPageProps, "context" | "refused">) {
    const { caller } = context;
    const values = refused?.values ?? {
        ...{ name: "", days: "", scopes: ["export"] },
        domains: (caller.domains ?? []).join("\n"),
        projects: (caller.projects ?? []).join("\n"),
    };
    const error = new FormError(refused?.error, fields);
    return (
        <>
            {error.at()}
            <p class="soft">A field that you leave empty sets no limit.</p>
            <form class="form" method="post" action={`${context.base}/keys`}>
                <Csrf context={context} />
                <Once />
                <label>
                    Name
                    <input
                        name="name"
                        required
                        maxLength={64}
                        pattern="[A-Za-z0-9][A-Za-z0-9_.\-]*"
                        value={values.name}
                        {...error.about("name")}
                    />
                    {error.at("name")}
                </label>
                <label>
                    Days until it expires
                    <input name="days" type="number" min={1} max={3650} value={values.days} {...error.about("days")} />
                    {error.at("days")}
                </label>
                <RightFields caller={caller} values={values} error={error} />
                <div class="wide">
                    <button class="main">Create</button>
                </div>
            </form>
        </>
    );
}

const fields = {
    name: "name",
    days: "days",
    expiresAt: "days",
    scopes: "scopes",
    domains: "domains",
    projects: "projects",
};

interface KeyTableProps extends Pick<KeysPageProps, "context" | "now"> {
    keys: readonly Answer<"AdminKey">[];
}

function KeyTable({ context, keys, now }: KeyTableProps) {
    if (keys.length === 0) {
        return <Empty context={context} one="key" none="There is no key besides the service's own." />;
    }
    return (
        <Table title="Keys" columns={["Name", "Scopes", "Reach", "Created", "Last use", "Expires", "Change"]}>
            {keys.map((key) => {
                const hasExpired = key.expiresAt !== null && Date.parse(key.expiresAt) <= now;
                const path = `/keys/${key.id}`;
                return (
                    <tr>
                        <td>
                            <strong>{key.name}</strong> <code>{key.id}</code>
                        </td>
                        <td>{key.scopes.join(", ")}</td>
                        <td>{listReach(key)}</td>
                        <td>
                            <Time at={key.createdAt} />
                            {key.createdBy === null ? null : (
                                <div class="soft">
                                    by <Foreign text={key.createdBy} limit={100} />{" "}
                                    {key.createdById === null ? null : <code>{shownIdOf(key.createdById)}</code>}
                                </div>
                            )}
                        </td>
                        <td>{key.lastUsedAt === null ? "never" : <Time at={key.lastUsedAt} />}</td>
                        <td>{key.expiresAt === null ? "never" : <Time at={key.expiresAt} />}</td>
                        <td>
                            {key.revokedAt !== null ? (
                                <span class="status revoked">revoked</span>
                            ) : (
                                <div class="acts">
                                    {hasExpired ? (
                                        // An expired key keeps its name until it is revoked.
                                        <span class="status expired">expired</span>
                                    ) : (
                                        <>
                                            <a
                                                class="button"
                                                href={`${context.base}${path}/change`}
                                                aria-label={`Change ${key.name}`}
                                            >
                                                Change
                                            </a>
                                            <a
                                                class="button"
                                                href={`${context.base}${path}/rotate`}
                                                aria-label={`Rotate ${key.name}`}
                                            >
                                                Rotate
                                            </a>
                                        </>
                                    )}
                                    <a
                                        class="button danger"
                                        href={`${context.base}${path}/revoke`}
                                        aria-label={`Revoke ${key.name}`}
                                    >
                                        Revoke
                                    </a>
                                </div>
                            )}
                        </td>
                    </tr>
                );
            })}
        </Table>
    );
}
