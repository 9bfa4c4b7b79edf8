import { decodeBase64Text, isKubeconfig } from "../placeholders/shapes.js";
import { keyFormats, knownTokens } from "./token-formats.js";

const signingParameters =
    /[?&](x-amz-(signature|credential|security-token)|x-goog-(signature|credential)|signature|sig|token|access_token|awsaccesskeyid)=/i;
const authorization = /\b([Bb]asic|[Bb]earer) (?=\S*\d)[A-Za-z\d+/._~-]{12,}=*$/;
const keyNames =
    /(?:^|[-_.:])(?:pass(?:word|phrase|wd)?|pwd|token|secret|credentials?)$|(?:[-_.:]|[a-z])(?:Password|Passphrase|Passwd|Token|Secret)$|(?:api|admin|access|account|secret|private|auth|encryption|signing|master|app|application|license|session|shared|jwt|hmac|consumer|webhook)[-_]?key$|access[-_]?key[-_]?id$|secret[-_]?key[-_]?base$|client[-_]?secret$|secret[-_]?(?:string|binary|data|value)$|htpasswd$|(?:password|bcrypt)[-_]?hash$|.\.(?:key|p12|pfx|jks|keystore)$/i;
/** Names of secrets, and of other things: only text that looks random counts. */
const ambiguousNames = /(?:^|[-_.:]|[a-z])(?:auth|authorization|cookie|key|salt|seed|pat|dsn)$/i;
const publicKeyNames =
    /(?:public|partition|sort|hash|range|primary|foreign|kms|idempotency|topology|object|cache|s3|config)[-_]?key$/i;
/** Names of Secrets that exist elsewhere. */
const secretReference = /(?:existing|pull)[-_]?secret$/i;
const kubernetesName = /^[a-z\d.-]+$/;
const minRandomCharacters = 16;
const minDifferentCharacters = 9;
/** Secret addresses: anybody who knows the address can post to it. */
const webhook =
    /\bhttps?:\/\/(hooks\.slack\.com\/(services|workflows|triggers)\/|(canary\.|ptb\.)?discord(app)?\.com\/api\/webhooks\/|[\w.-]+\.webhook\.office\.com\/|[\w.-]+\.logic\.azure\.com[:/]|chat\.googleapis\.com\/v1\/spaces\/|hooks\.zapier\.com\/|outlook\.office\.com\/webhook\/)\S+/i;
const webhookName = /webhook[-_]?(url|uri|address|endpoint)?$/i;
const connectionString =
    /(?:^|[;\s])(?:password|pwd|accountkey|sharedaccesskey|sharedaccesssignature)[ \t]*=[ \t]*["']?[^;\s"']/i;
const credentialsInAddress = /[a-z][a-z\d+.-]{0,30}:\/\/[^/@\s:]*:[^/@\s]+@/i;

/**
 * The kind of secret that an unmarked text looks like: "a presigned link", "a kubeconfig", "a private key", "a
 * webhook", "a connection string" or "a key". Undefined if it does not look like a secret.
 *
 * @param name - the name of the property that contains the text
 */
export function describeSensitive(name: string, text: string): string | undefined {
    const kind = describeWhole(name, text);
    if (kind !== undefined) {
        return kind;
    }
    if (/-----BEGIN [\w ]*PRIVATE KEY/.test(text)) {
        return "a private key";
    }
    if (/\bclient-key-data["']?\s*:/.test(text)) {
        return "a kubeconfig";
    }
    if (/[a-z]:\/\//i.test(text) && signingParameters.test(text)) {
        return "a presigned link";
    }
    if (webhook.test(text)) {
        return "a webhook";
    }
    if (connectionString.test(text) || credentialsInAddress.test(text)) {
        return "a connection string";
    }
    return text.search(keyFormats) !== -1 || authorization.test(text) || knownTokens(text).length > 0
        ? "a key"
        : undefined;
}

/** The kind of secret, if the text is a secret as a whole, even if it consists of several values. */
export function describeWhole(name: string, text: string): string | undefined {
    if (isKubeconfig(text)) {
        return "a kubeconfig";
    }
    if (webhookName.test(name) && /:\/\//.test(text)) {
        return "a webhook";
    }
    return text !== "" && namesSecret(name, text) ? "a key" : undefined;
}

function namesSecret(name: string, text: string): boolean {
    if (keyNames.test(name)) {
        return !(secretReference.test(name) && kubernetesName.test(text));
    }
    return (
        (/^_?auth$/i.test(name) && decodeBase64Text(text)?.includes(":") === true) ||
        (ambiguousNames.test(name) && !publicKeyNames.test(name) && looksRandom(text))
    );
}

function looksRandom(text: string): boolean {
    return (
        text.length >= minRandomCharacters &&
        /^[\w+/=.~-]+$/.test(text) &&
        /\d/.test(text) &&
        /[a-z]/i.test(text) &&
        new Set(text).size >= minDifferentCharacters
    );
}

/** Whether a value in a text names the secret instead of containing it: a variable, or a placeholder. */
export function isReference(text: string): boolean {
    return /^(\$\{[\w.:-]+\}|\$[A-Z_][A-Z\d_]*|\$\([A-Z_][A-Z\d_]*\)|\{\{[^{}]*\}\}|%\w+%|<[\w -]+>|\*+|(var|local|process\.env|os\.environ)\.[\w.]+)$/.test(
        text,
    );
}
