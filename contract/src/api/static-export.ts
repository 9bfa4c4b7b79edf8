import { maxJobWarnings, maxWarningPlaces } from "./export-warnings.js";
import { exportJobStatuses } from "./job-statuses.js";
import * as field from "./fields.js";

const warning = {
    /** The kind of mistake, such as `link` or `component`. */
    kind: field.text(),
    /** The file, relative to the site's folder. */
    file: field.text("The file's path, relative to the site's folder."),
    /** The line, counted from 1; absent if the mistake is not in one particular line. */
    line: field.optional(field.size(undefined, { minimum: 1 })),
    reason: field.text(),
    /** The number of places with this warning; absent if it occurs only once. */
    places: field.optional(field.size("How many places have this warning, if several.", { minimum: 2 })),
    /** The places after the first one, such as `guides/start.md:12`; at most 20. */
    alsoIn: field.optional(
        field.firstOf(maxWarningPlaces, field.anyText(), "The places after the first one, such as guides/start.md:12."),
    ),
};

/** A mistake in a site that does not prevent its export. Each string is one line of limited length. */
export type ExportWarning = field.Received<typeof warning>;

export const exportWarnings = {
    /** The number of all places with a warning, including the places that `first` omits. */
    count: field.size("The number of places with a warning, including those beyond the first 100 warnings."),
    /** The first distinct warnings, at most 100. */
    first: field.firstOf(
        maxJobWarnings,
        field.object(warning),
        "The first 100 different warnings, each with its file and line.",
    ),
};

/** The mistakes that a site's authors should fix. */
export type ExportWarnings = field.Received<typeof exportWarnings>;

const progress = {
    status: field.oneOf(exportJobStatuses, "completed and failed are final."),
    /** Percent, 0 to 100, on the public platform. */
    progress: field.unpromised(field.number("Percent.", { minimum: 0, maximum: 100 })),
    /** Pages exported so far. */
    pageCount: field.unpromised(field.integer("Pages exported so far.", { minimum: 0 })),
    /** RFC 3339 date-time. */
    createdAt: field.unpromised(field.dateTime("When the job was started.")),
    /** RFC 3339 date-time. */
    updatedAt: field.unpromised(field.dateTime("When the job last changed.")),
    /**
     * The commit that the job exports, if the site is in a repository. Only the self-hosted service reports the commit;
     * the contract does not contain this field.
     */
    sourceRef: field.optional(
        field.text("The commit of the job; only for a site in a repository, after the commit was fetched.", {
            pattern: "^[0-9a-f]{40,64}$",
        }),
    ),
    /** Why the job failed, shortened to one line. */
    error: field.optional(
        field.text("Why the job failed; in lists at most 500 characters. Absent unless the job failed."),
    ),
};

export const exportJob = {
    jobId: field.id("Identifier of the export job.", { pattern: "^se_[0-9a-f]+$" }),
    ...progress,
    /**
     * The mistakes in the site, for a job that completed, or that failed because of them on a strict service. Only the
     * self-hosted service reports the mistakes; the contract does not contain this field.
     */
    warnings: field.optional(field.object(exportWarnings)),
};

export const bundleLink = {
    /** A presigned link. Treat it as a secret, because it gives access to the archive. */
    bundleUrl: field.link("Presigned link to the tar.gz archive. Fetch the archive without the Authorization header."),
    /** The requested id if the server omits it. */
    jobId: exportJob.jobId,
    /** RFC 3339 date-time, from the API or otherwise from the link itself; absent if neither contains it. */
    expiresAt: field.unpromised(field.dateTime("When the link expires. Request the bundle again for a fresh link.")),
    /** Size of the archive in bytes. */
    sizeBytes: field.unpromised(field.size()),
};

/** An export or an update in a list of jobs. */
export const jobRecord = {
    jobId: field.id("Identifier of the job.", { pattern: "^(se|du)_[0-9a-f]+$" }),
    ...progress,
    /** Absent in answers of servers that list only one domain. */
    domain: field.unpromised(field.text("The domain that the job exports or updates.")),
    /** The label that the start request contained. */
    version: field.unpromised(field.nullable(field.text("The label that the start request named."))),
    /** The name of the key, or of the person, that started the job. */
    key: field.unpromised(
        field.readAs(
            field.object(
                {
                    id: field.unpromised(
                        field.text("The key's id, user: followed by a person's id, webhook, or service."),
                    ),
                    name: field.text("The name of the key or person."),
                },
                "The key, person or webhook that started the job.",
            ),
            ({ name }) => name,
        ),
    ),
    /** Whether somebody cancelled the job. */
    cancelled: field.optional(
        field.flag(
            "True for a job that somebody cancelled, or whose build has skipped its commit. Once the job has " +
                "stopped, its status is failed, but a list filtered by failed leaves it out.",
        ),
    ),
    /** Size of the archive in bytes; absent without an archive. */
    sizeBytes: field.unpromised(field.nullable(field.size("Size of the archive."))),
    /** SHA-256 of the archive in hexadecimal; absent without an archive. */
    sha256: field.unpromised(field.nullable(field.text("Digest of the archive, in hexadecimal."))),
};

export const jobDetails = {
    ...jobRecord,
    /** How many runs the job has had. */
    attempts: field.integer("How many runs the job has had.", { minimum: 0 }),
    /** The steps of the last run, in order. */
    phases: field.list(field.object({ name: field.text(), durationMs: field.integer() })),
    /** What the runs did. */
    log: field.list(field.object({ at: field.dateTime(), message: field.text() })),
};
