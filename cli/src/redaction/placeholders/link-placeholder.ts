import { type PlaceholderSource } from "./placeholder-source.js";

/** Says when a presigned link expires (S3, Google Cloud Storage, Azure, our service). */
const expiryParameter = /^(x-(amz|goog)-(date|expires)|se|expires)$/i;
const time = /^(\d+|\d{8}T\d{6}Z|\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z?)$/;
const knownParameter = /^(x-(amz|goog)-[a-z-]{1,20}|sig|signature|token|s[pertv]|spr|awsaccesskeyid|expires)$/i;
const knownScheme =
    /^(https?|wss?|postgres|postgresql|mysql|mongodb|mongodb\+srv|redis|rediss|amqp|amqps|s3|gs|oci|ssh|git)$/i;

/**
 * The placeholder of an address. Of the query it keeps the expiry, so that decisions based on it do not change, and the
 * names of the parameters of presigned links.
 */
export function linkPlaceholder(text: string, names: PlaceholderSource): string | undefined {
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
