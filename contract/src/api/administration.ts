import { siteStates } from "./job-statuses.js";
import * as field from "./fields.js";

/** The rights of a key. */
export const keyRights = {
    scopes: field.readAs(field.nullable(field.list(field.anyText("The scopes of the key."))), (scopes) => scopes ?? []),
    /** Domains, or patterns such as `*.example.com`; null for all. */
    domains: field.nullable(field.list(field.anyText(), "The key's domains; null for all.")),
    /** The ids of projects; null for all. */
    projects: field.nullable(field.list(field.anyText(), "The key's projects; null for all.")),
    /** In RFC 3339; null for a key that does not expire. */
    expiresAt: field.nullable(field.dateTime("When the key expires; null for never.")),
};

/** An admin API key without its secret. */
export const adminKey = {
    id: field.id(),
    name: field.text(),
    ...keyRights,
    /** The key or person that created the key. */
    createdBy: field.unpromised(field.nullable(field.anyText("The key or person that created the key."))),
    createdAt: field.dateTime("When the key was created."),
    revokedAt: field.nullable(field.dateTime("When the key was revoked.")),
    /** Exact to a minute; null for a key that was never used. */
    lastUsedAt: field.nullable(field.dateTime("The last use, exact to a minute. Null for a key that was never used.")),
};

/** A new key, and its secret, which is shown only now. */
export const createdKey = {
    key: field.object(adminKey),
    secret: field.string("The key itself, which is shown only now."),
    /** What is unusual about the key, such as a domain that no site has. */
    hint: field.optional(field.anyText("What is unusual about the key, such as an unknown domain.")),
};

export const rotatedLinkSecret = {
    earlierValidUntil: field.dateTime("Until when links and sessions of the earlier secret work."),
};

/** A site of the self-hosted service. */
export const site = {
    domain: field.text(),
    state: field.oneOf(
        siteStates,
        "stale: a commit newer than the export is published. never: there is no export. cancelled: the last export " +
            "was cancelled.",
    ),
    /** Null for a site without exports. */
    lastExport: field.nullable(
        field.object({ jobId: field.id(), updatedAt: field.dateTime(), pageCount: field.integer() }),
    ),
};

/** The stored bundles of a domain. */
export const usage = { domain: field.text(), bundles: field.integer(), bytes: field.integer() };

/** The exports of a site or a key. */
export const exportCounts = {
    /** The domain, or the name of the key. */
    name: field.text("The site's domain, or the name of the key."),
    exports: field.integer("Exports that were started."),
    failed: field.integer("Exports that failed."),
    /** The pages of the completed exports. */
    pages: field.integer("The pages of the completed exports."),
};

export const removedSite = {
    removedJobs: field.integer("How many jobs of the site and of its previews were removed."),
    runningJobs: field.unpromised(
        field.list(field.text(), "Jobs that stop within seconds. Repeat the request to remove them, too."),
    ),
};
