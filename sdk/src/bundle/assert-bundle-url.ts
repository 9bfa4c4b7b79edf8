import { BundleError } from "../errors/index.js";
import { redactUrl } from "../http/redact-url.js";

/** @throws BundleError when a link has credentials or is not http(s): fetch would otherwise accept `data:` */
export function assertBundleUrl(bundleUrl: string): void {
    const refuse = (why: string) => new BundleError("unsafe-address", `the link ${redactUrl(bundleUrl)} ${why}`);
    if (!URL.canParse(bundleUrl)) {
        throw refuse("is not a valid URL");
    }
    const { protocol, username, password } = new URL(bundleUrl);
    if (protocol !== "https:" && protocol !== "http:") {
        throw refuse("does not begin with https:// or http://");
    }
    if (username !== "" || password !== "") {
        throw refuse("contains credentials");
    }
}
