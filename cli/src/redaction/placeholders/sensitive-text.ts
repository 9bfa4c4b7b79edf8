import { isKubeconfig } from "./shapes.js";

const signingParameters =
    /[?&](x-amz-(signature|credential|security-token)|x-goog-(signature|credential)|signature|sig|token|access_token|awsaccesskeyid)=/i;
const keyFormats =
    /\b(AKIA|ASIA)[A-Z\d]{16}\b|\bgh[pousr]_[A-Za-z\d]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{20,}|\bpul-[\da-f]{40}\b|\bxox[abprs]-[\w-]{10,}|\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.|\badmin_[\da-f]{16,}/;
const keyNames =
    /(?:^|[-_.:])(?:pass(?:word|phrase|wd)|token|secret)$|(?:[-_.:]|[a-z])(?:Password|Passphrase|Token|Secret)$|(?:api|admin|access|secret|private|auth)[-_]?key$|access[-_]?key[-_]?id$|client[-_]?secret$/i;

/**
 * What a text that is marked as no secret seems to be nevertheless: "a presigned link", "a kubeconfig", "a private key"
 * or "a key". Undefined where it seems to be nothing of the kind.
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

/** Whether a text is so unlike others that its occurrence in another text is no chance. */
export function isTelling(text: string): boolean {
    return text.length >= 8 && ((/[a-z]/i.test(text) && /\d/.test(text)) || text.length >= 24);
}
