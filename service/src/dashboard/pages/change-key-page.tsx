import { type Answer } from "../../http/protocol/schemas.js";
import { FormError, type Refused, RightFields, type RightValues } from "./key-fields.js";
import { Csrf, Layout, Once, type PageContext } from "./parts.js";

/** The fields of the form, as they were typed. */
interface KeyChangeValues extends RightValues {
    /** The last day, or empty. */
    expires: string;
}

export function changeValuesOf(key: Answer<"AdminKey">): KeyChangeValues {
    return {
        scopes: key.scopes,
        domains: (key.domains ?? []).join("\n"),
        projects: (key.projects ?? []).join("\n"),
        expires: key.expiresAt?.slice(0, 10) ?? "",
    };
}

const fields = {
    scopes: "scopes",
    domains: "domains",
    projects: "projects",
    expires: "expires",
    expiresAt: "expires",
};

interface ChangeKeyPageProps {
    context: PageContext;
    key_: Answer<"AdminKey">;
    refused?: Refused<KeyChangeValues> | undefined;
}

/** Changes what a key may do; its secret stays. */
export function ChangeKeyPage({ context, key_, refused }: ChangeKeyPageProps) {
    const values = refused?.values ?? changeValuesOf(key_);
    const error = new FormError(refused?.error, fields);
    return (
        <Layout title={`Change ${key_.name}`} context={context} section="/keys" keeps>
            <h1>Change key {key_.name}</h1>
            <p>
                The secret stays the same. The new rights apply to the next request of each client.{" "}
                <span class="soft">A field that you leave empty sets no limit.</span>
            </p>
            {error.at()}
            <form class="form" method="post" action={`${context.base}/keys/${key_.id}/change`}>
                <Csrf context={context} />
                <Once />
                <input type="hidden" name="shownExpires" value={changeValuesOf(key_).expires} />
                <RightFields caller={context.caller} values={values} error={error} />
                <label>
                    Last day (UTC)
                    <input type="date" name="expires" value={values.expires} {...error.about("expires")} />
                    {error.at("expires")}
                </label>
                <div class="wide acts">
                    <button class="main">Change</button>
                    <a class="button" href={`${context.base}/keys`}>
                        Leave it as it is
                    </a>
                </div>
            </form>
        </Layout>
    );
}
