import { parseDocument, stringify } from "yaml";
import { type PlaceholderSource } from "./placeholder-source.js";

/** Creates the placeholder of a string in its format; undefined if the string has another format. */
type Shape = (text: string, names: PlaceholderSource) => string | undefined;

const booleanShape: Shape = (text) => (/^(true|false)$/i.test(text) ? "false" : undefined);

/** Preserves the number of digits, because a program may validate a port or a count. */
const numberShape: Shape = (text, names) => {
    const [, digits, fraction] = /^-?(\d+)(\.\d+)?(?:e[+-]?\d+)?$/i.exec(text) ?? [];
    if (digits === undefined) {
        return undefined;
    }
    const lowest = 10 ** (Math.min(digits.length, 15) - 1);
    const next = () => String(lowest + names.nextNumber()) + (fraction === undefined ? "" : ".5");
    const placeholder = next();
    return placeholder === text ? next() : placeholder;
};

/** Preserves the structure of a kubeconfig. The placeholder's server address does not exist. */
const kubeconfigShape: Shape = (text, names) => {
    if (!isKubeconfig(text)) {
        return undefined;
    }
    const document = parseDocument(text);
    return document.errors.length > 0 ? undefined : stringify(redactKubeconfig(document.toJS(), "", names));
};

function redactKubeconfig(value: unknown, key: string, names: PlaceholderSource): unknown {
    if (typeof value === "object" && value !== null) {
        return Array.isArray(value)
            ? value.map((member) => redactKubeconfig(member, key, names))
            : Object.fromEntries(
                  Object.entries(value).map(([name, member]) => [
                      names.key(name),
                      redactKubeconfig(member, name, names),
                  ]),
              );
    }
    if (key === "apiVersion" || key === "kind") {
        return value;
    }
    return key === "server" ? "https://127.0.0.1:1" : names.scalar(value);
}

const jsonShape: Shape = (text, names) => {
    if (!/^\s*[[{]/.test(text)) {
        return undefined;
    }
    try {
        return JSON.stringify(names.json(JSON.parse(text)));
    } catch {
        return undefined;
    }
};

const pemShape: Shape = (text, names) =>
    /^\s*-----BEGIN [\w ]+-----/.test(text)
        ? `-----BEGIN REDACTED-----\n${names.nextName()}\n-----END REDACTED-----`
        : undefined;

/** The usual lengths of digests. */
const hexadecimalShape: Shape = (text, names) =>
    /^([\da-f]{32}|[\da-f]{40}|[\da-f]{64}|[\da-f]{128})$/i.test(text)
        ? names.nextNumber().toString(16).padStart(text.length, "0")
        : undefined;

const uuidShape: Shape = (text, names) =>
    /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
        ? `00000000-0000-4000-8000-${String(names.nextNumber()).padStart(12, "0")}`
        : undefined;

/**
 * Encodes the placeholder of the decoded text, so that a program that encodes this text computes the same value.
 */
const base64Shape: Shape = (text, names) => {
    const decoded = decodeBase64Text(text);
    return decoded === undefined ? undefined : Buffer.from(names.text(decoded)).toString("base64");
};

const hostNameShape: Shape = (text, names) =>
    /^([a-z\d-]+\.)+[a-z]{2,}$/i.test(text) ? `${names.nextName()}.invalid` : undefined;

/** A prefix in a bucket must end with a slash. */
const folderShape: Shape = (text, names) => (/^[\w./-]+\/$/.test(text) ? `${names.nextName()}/` : undefined);

/** The first matching format counts. */
export const shapes: readonly Shape[] = [
    booleanShape,
    numberShape,
    linkPlaceholder,
    kubeconfigShape,
    jsonShape,
    pemShape,
    hexadecimalShape,
    uuidShape,
    base64Shape,
    hostNameShape,
    folderShape,
];

export function isKubeconfig(text: string): boolean {
    return /\bkind["']?\s*:\s*["']?Config\b/.test(text) && /\bclusters["']?\s*:/.test(text);
}

/** The Base64-decoded text, or undefined if it is not readable text. */
export function decodeBase64Text(text: string): string | undefined {
    const isWord = text.length < 8 && !text.endsWith("=");
    if (isWord || text.length % 4 !== 0 || !/^[A-Za-z\d+/]+={0,2}$/.test(text)) {
        return undefined;
    }
    const decoded = Buffer.from(text, "base64").toString("utf8");
    // eslint-disable-next-line no-control-regex
    return /[\u0000-\u0008\u000e-\u001f\u007f\ufffd]/.test(decoded) ? undefined : decoded;
}

/** Matches the parameters with the expiry of a presigned link (S3, Google Cloud Storage, Azure, our service). */
const expiryParameter = /^(x-(amz|goog)-(date|expires)|se|expires)$/i;
const time = /^(\d+|\d{8}T\d{6}Z|\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z?)$/;
const knownParameter = /^(x-(amz|goog)-[a-z-]{1,20}|sig|signature|token|s[pertv]|spr|awsaccesskeyid|expires)$/i;
const knownScheme =
    /^(https?|wss?|postgres|postgresql|mysql|mongodb|mongodb\+srv|redis|rediss|amqp|amqps|s3|gs|oci|ssh|git)$/i;

/**
 * The placeholder of an address. Keeps the parameter names of presigned links, and the expiry in the query, so that
 * decisions based on the expiry do not change.
 */
function linkPlaceholder(text: string, names: PlaceholderSource): string | undefined {
    const [, scheme = ""] = /^([a-z][a-z\d+.-]*):\/\/\S+$/i.exec(text) ?? [];
    if (!knownScheme.test(scheme) || !URL.canParse(text)) {
        return undefined;
    }
    const { protocol, host, pathname, searchParams } = new URL(text);
    if (!/^https?:$/.test(protocol)) {
        return `${protocol}//${names.nextName()}.invalid`;
    }
    const placeholder = new URL(names.addressFor(`${protocol}//${host}${pathname}`));
    for (const [name, value] of searchParams) {
        const keepsValue = expiryParameter.test(name) && time.test(value);
        placeholder.searchParams.append(
            knownParameter.test(name) ? name : names.nextName(),
            keepsValue ? value : names.nextName(),
        );
    }
    return searchParams.size === 0 ? placeholder.origin : placeholder.href;
}
