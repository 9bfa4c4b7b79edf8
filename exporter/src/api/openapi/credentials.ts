import { isPlain } from "../../text/json-values.js";
import { type ApiOperation } from "./api-document.js";
import { isSentByBrowsers } from "./browser-headers.js";
import { type Json } from "../documents/references.js";
import { type SecurityChoice, securityOf } from "./operation-parts.js";
import { type RequestField } from "./request.js";

/** One way to authenticate, with the fields for the reader's credentials. */
interface CredentialChoice {
    readonly label: string;
    readonly fields: readonly RequestField[];
}

/**
 * The ways to authenticate. The first is the one that examples show: a way that a page can send, or else the first in
 * the document; no credentials at all come last.
 */
export function credentialChoices(operation: ApiOperation): CredentialChoice[] {
    const choices = securityOf(operation).map(choiceOf);
    const rank = ({ label, fields }: CredentialChoice) =>
        label === "" ? 2 : fields.length > 0 && fields.every(isSentByBrowsers) ? 0 : 1;
    return choices.sort((a, b) => rank(a) - rank(b)).map(({ label, fields }) => ({ label: label || "None", fields }));
}

/** The credentials that the examples of an operation send. */
export function sentCredentials(operation: ApiOperation): readonly RequestField[] {
    return credentialChoices(operation)[0]?.fields ?? [];
}

/** A request has one header of each name, even if two schemes use it. */
function choiceOf(choice: SecurityChoice): CredentialChoice {
    const fields = new Map<string, RequestField>();
    for (const field of choice.flatMap(({ scheme }) => credentialOf(scheme) ?? [])) {
        const key = `${field.in} ${field.in === "header" ? field.name.toLowerCase() : field.name}`;
        fields.set(key, fields.get(key) ?? field);
    }
    const names = choice.map(({ scheme }) => [scheme["name"], scheme["scheme"], scheme["type"]].find(isPlain));
    return { label: names.join(" + "), fields: [...fields.values()] };
}

/** Where a scheme's credential belongs; undefined for a client certificate and for unknown places. */
function credentialOf(scheme: Json): RequestField | undefined {
    const { type, name, in: place, "x-default": given } = scheme;
    // The field's initial value, as in Mintlify.
    const value = isPlain(given) ? { value: String(given) } : {};
    if (type === "apiKey") {
        const isKnown = place === "header" || place === "query" || place === "cookie";
        return typeof name === "string" && isKnown ? { name, in: place, secret: true, ...value } : undefined;
    }
    if (type === "mutualTLS") {
        return undefined;
    }
    // The names of HTTP schemes are not case-sensitive (RFC 9110, section 11.1).
    const written = type === "http" && typeof scheme["scheme"] === "string" ? scheme["scheme"] : "bearer";
    const known = ["Basic", "Bearer"].find((each) => each.toLowerCase() === written.toLowerCase());
    return { name: "Authorization", in: "header", secret: true, prefix: `${known ?? written} `, ...value };
}
