import { isKubeconfig } from "./shapes.js";

const signingParameters =
    /[?&](x-amz-(signature|credential|security-token)|x-goog-(signature|credential)|signature|sig|token|access_token|awsaccesskeyid)=/i;
const keyFormats =
    /\b(AKIA|ASIA)[A-Z\d]{16}\b|\bgh[pousr]_[A-Za-z\d]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{20,}|\bpul-[\da-f]{40}\b|\bxox[abprs]-[\w-]{10,}|\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.|\badmin_[\da-f]{16,}/;
const keyNames =
    /(?:^|[-_.:])(?:pass(?:word|phrase|wd)|token|secret)$|(?:[-_.:]|[a-z])(?:Password|Passphrase|Token|Secret)$|(?:api|admin|access|secret|private|auth)[-_]?key$|access[-_]?key[-_]?id$|client[-_]?secret$/i;

/**
 * The kind of secret that a text looks like although it is not marked as one: "a presigned link", "a kubeconfig", "a private key"
 * or "a key". Undefined if it does not look like a secret.
 *
 * @param name - of the property that has the text
 */
export function describeSensitive(name: string, text: string): string | undefined {
    if (/-----BEGIN [\w ]*PRIVATE KEY-----/.test(text)) {
        return "a private key";
    }
    if (isKubeconfig(text) || /\bclient-key-data["']?\s*:/.test(text)) {
        return "a kubeconfig";
    }
    if (
        /^[a-z][a-z\d+.-]*:\/\//i.test(text) &&
        (signingParameters.test(text) || /^[^/]*\/\/[^/@\s]*:[^/@\s]+@/.test(text))
    ) {
        return "a presigned link";
    }
    if (keyFormats.test(text) || (keyNames.test(name) && text !== "")) {
        return "a key";
    }
    return undefined;
}

/** Whether a text is so distinctive that it cannot occur in another text by chance. */
export function isTelling(text: string): boolean {
    return text.length >= 8 && ((/[a-z]/i.test(text) && /\d/.test(text)) || text.length >= 24);
}
