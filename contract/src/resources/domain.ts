const label = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const labels = `${label}(\\.${label})*$`;

/** A domain of any length, without look-ahead, which the regular expressions of Pulumi's engine (RE2) lack. */
export const labelsPattern = `^${labels}`;
export const maxDomainLength = 253;

/**
 * A host name only: no scheme, no port, no path, no trailing slash or dot. Upper case is accepted, as in DNS;
 * `canonicalDomain` converts it.
 */
export const domainPattern = `^(?=.{1,${maxDomainLength}}$)${labels}`;

const domainExpression = new RegExp(domainPattern);

export function isDomain(text: string): boolean {
    return domainExpression.test(text);
}

/** Returns the canonical spelling of a domain, for comparing and storing domains. */
export function canonicalDomain(domain: string): string {
    return domain.toLowerCase();
}
