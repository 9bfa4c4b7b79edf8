import { isKubeconfig } from "./shapes.js";

const signingParameters =
    /[?&](x-amz-(signature|credential|security-token)|x-goog-(signature|credential)|signature|sig|token|access_token|awsaccesskeyid)=/i;
const keyFormats =
    /\b(AKIA|ASIA)[A-Z\d]{16}\b|\bgh[pousr]_[A-Za-z\d]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{20,}|\bpul-[\da-f]{40}\b|\bxox[abprs]-[\w-]{10,}|\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.|\badmin_[\da-f]{16,}|\b[srp]k_(live|test)_\w{10,}|\bsk-(ant-|proj-)?[\w-]{20,}|\bnpm_[A-Za-z\d]{30,}|\bAIza[\w-]{35}|\bhf_[A-Za-z\d]{30,}|\b([Bb]asic|[Bb]earer) (?=\S*\d)[A-Za-z\d+/._~-]{12,}=*$/;
const keyNames =
    /(?:^|[-_.:])(?:pass(?:word|phrase|wd)?|pwd|token|secret|credentials?)$|(?:[-_.:]|[a-z])(?:Password|Passphrase|Passwd|Token|Secret)$|(?:api|admin|access|account|secret|private|auth|encryption|signing|master)[-_]?key$|access[-_]?key[-_]?id$|secret[-_]?key[-_]?base$|client[-_]?secret$/i;
/** Secret addresses: anybody who knows the address can post to it. */
const webhook =
    /\bhttps?:\/\/(hooks\.slack\.com\/(services|workflows|triggers)\/|(canary\.|ptb\.)?discord(app)?\.com\/api\/webhooks\/|[\w.-]+\.webhook\.office\.com\/|[\w.-]+\.logic\.azure\.com[:/]|chat\.googleapis\.com\/v1\/spaces\/|hooks\.zapier\.com\/|outlook\.office\.com\/webhook\/)\S+/i;
const webhookName = /webhook[-_]?(url|uri|address|endpoint)?$/i;
const connectionString = /(?:^|[;\s])(?:password|pwd|accountkey|sharedaccesskey|sharedaccesssignature)\s*=\s*[^;\s]/i;
const credentialsInAddress = /[a-z][a-z\d+.-]{0,30}:\/\/[^/@\s:]*:[^/@\s]+@/i;

/**
 * The kind of secret that an unmarked text looks like: "a presigned link", "a kubeconfig", "a private key", "a
 * webhook", "a connection string" or "a key". Undefined if it does not look like a secret.
 *
 * @param name - the name of the property that contains the text
 */
export function describeSensitive(name: string, text: string): string | undefined {
    if (/-----BEGIN [\w ]*PRIVATE KEY-----/.test(text)) {
        return "a private key";
    }
    if (isKubeconfig(text) || /\bclient-key-data["']?\s*:/.test(text)) {
        return "a kubeconfig";
    }
    if (/[a-z]:\/\//i.test(text) && signingParameters.test(text)) {
        return "a presigned link";
    }
    if (webhook.test(text) || (webhookName.test(name) && /:\/\//.test(text))) {
        return "a webhook";
    }
    if (connectionString.test(text) || credentialsInAddress.test(text)) {
        return "a connection string";
    }
    if (keyFormats.test(text) || (keyNames.test(name) && text !== "")) {
        return "a key";
    }
    return undefined;
}
