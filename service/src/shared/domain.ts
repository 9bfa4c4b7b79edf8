/**
 * A host name and nothing else: no scheme, no port, no path, no trailing slash or dot. Upper case is accepted, as DNS
 * does, and folded by `canonicalDomain`.
 */
export const domainPattern =
    "^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$";

const domainExpression = new RegExp(domainPattern);

export function isDomain(text: string): boolean {
    return domainExpression.test(text);
}

/** The one spelling under which a domain is compared and stored. */
export function canonicalDomain(domain: string): string {
    return domain.toLowerCase();
}
