import { keyScopes } from "../../keys/admin-keys.js";
import { type Caller } from "../../http/protocol/caller.js";
import { Foreign } from "./parts.js";

/** The fields that the forms to create and to change a key share, as they were typed. */
export interface RightValues {
    scopes: readonly string[];
    domains: string;
    projects: string;
}

/** What somebody has sent, and why it was refused. */
export interface Refused<Values> {
    values: Values;
    /** Begins with the name of the wrong field. */
    error: string;
}

const scopeHelp: Readonly<Record<(typeof keyScopes)[number], string>> = {
    read: "see exports, updates and agent jobs",
    export: "start exports",
    update: "publish commits",
    agent: "use agent jobs",
    keys: "manage keys",
};

/** Names an entry of a list as a person counts, because the form has no `domains.0`. */
function entryOf(_name: string, index: string): string {
    return `Entry ${Number(index) + 1}`;
}

/** Shows an error next to its field, or at the top of the form if it concerns none of the fields. */
export class FormError {
    readonly #error: string | undefined;
    readonly #field: string | undefined;

    /** @param fields - the names of the form's fields, by their names in the API */
    constructor(error: string | undefined, fields: Readonly<Record<string, string>>) {
        this.#error = error?.replace(/^\w+\.(\d+)/, entryOf).replace(/^expiresAt/, "The expiry");
        this.#field = fields[/^\w+/.exec(error ?? "")?.[0] ?? ""];
    }

    /** The attributes of a wrong field. */
    about(field: string) {
        return this.#field === field ? { "aria-invalid": true, "aria-describedby": "form-error" } : {};
    }

    /** @param field - absent at the top of the form */
    at(field?: string) {
        return this.#error === undefined || this.#field !== field ? null : (
            <span class="note danger wrong" role="alert" id="form-error">
                <Foreign text={this.#error} />
            </span>
        );
    }
}

interface RightFieldsProps {
    caller: Caller;
    values: RightValues;
    error: FormError;
}

/** What a key may do, and where. */
export function RightFields({ caller, values, error }: RightFieldsProps) {
    return (
        <>
            <fieldset class="wide" {...error.about("scopes")}>
                <legend>What the key may do</legend>
                {keyScopes
                    .filter((scope) => caller.scopes.includes(scope))
                    .map((scope) => (
                        <label class="check">
                            <input
                                type="checkbox"
                                name="scopes"
                                value={scope}
                                checked={values.scopes.includes(scope)}
                            />
                            {scope}: {scopeHelp[scope]}
                        </label>
                    ))}
                {error.at("scopes")}
            </fieldset>
            <label>
                Domains, one per line
                <textarea name="domains" rows={3} value={values.domains} {...error.about("domains")} />
                {error.at("domains")}
            </label>
            <label>
                Projects, one per line
                <textarea name="projects" rows={3} value={values.projects} {...error.about("projects")} />
                {error.at("projects")}
            </label>
        </>
    );
}
