import { Type } from "typebox";
import { agentJobStatuses, domainPattern, shownJobStatuses, siteStates } from "@pulumi-static-export/contract";
import { maxFailures } from "../../history/failures.js";
import { keyScopes } from "../../keys/admin-keys.js";
import { reachPattern } from "../../keys/key-reach.js";
import { closed, Nullable, StringEnum } from "./schema-types.js";

// Query values are always text.
const limit = (defaultText: string) =>
    Type.Optional(
        Type.String({
            pattern: "^([1-9]\\d{0,2}|1000)$",
            description: `a whole number from 1 to 1000 (default: ${defaultText})`,
        }),
    );
const cursor = (pattern: string) =>
    Type.Optional(Type.String({ pattern, description: "the value of next in the previous page" }));
const page = (cursorPattern: string) => ({ limit: limit("20"), cursor: cursor(cursorPattern) });
const count = Type.Optional(StringEnum(["true"], "true to also count what matches, up to 1000"));
const days = (description: string) => Type.Optional(Type.String({ pattern: "^([1-9]|[1-8]\\d|90)$", description }));
/** The format allows leap seconds, which JavaScript cannot read. */
const Time = (description: string) => Type.String({ format: "date-time", pattern: "^.{17}[0-5]", description });
const time = (description: string) => Type.Optional(Time(description));

export const ListJobsQuery = Type.Object({
    domain: Type.Optional(
        Type.String({ pattern: domainPattern, description: "a host name only, such as docs.example.com" }),
    ),
    status: Type.Optional(
        Type.String({
            pattern: `^(${shownJobStatuses.join("|")})(,(${shownJobStatuses.join("|")}))*$`,
            description: `one or several of ${shownJobStatuses.join(", ")}, separated by commas`,
        }),
    ),
    key: Type.Optional(
        Type.String({
            pattern: "^(ak_[0-9a-f]{1,64}|user:.{1,255}|webhook|service)$",
            description: "the id of the key that started the jobs, webhook, or service for the service's own key",
        }),
    ),
    search: Type.Optional(
        Type.String({
            maxLength: 253,
            description:
                "a part of the domain or of the key's name, the id of a job, or 7 or more digits of a commit, up to 253 " +
                "characters",
        }),
    ),
    site: Type.Optional(
        Type.String({ pattern: domainPattern, description: "a site, whose jobs and whose previews' jobs are listed" }),
    ),
    error: Type.Optional(
        Type.String({
            maxLength: 500,
            description: "a part of the first 500 characters of the error, in which … stands for any text",
        }),
    ),
    reason: Type.Optional(
        Type.String({
            minLength: 1,
            maxLength: 500,
            description: `the whole reason of a group of the newest ${maxFailures} failures, as GET /v1/failures names it`,
        }),
    ),
    unrepeated: Type.Optional(
        StringEnum(
            ["true"],
            "true for only those jobs that no later one with the same domain, version and paths repeats",
        ),
    ),
    since: time("the time from which jobs were started, such as 2026-11-01T10:00:00Z"),
    until: time("the time before which jobs were started, such as 2026-11-02T10:00:00Z"),
    count,
    ...page("^\\d{1,15}$"),
});

export const CancelQuery = Type.Object({
    reason: Type.Optional(
        Type.String({
            maxLength: 300,
            description: "the reason, in at most 300 characters, which the job's error then contains",
        }),
    ),
});

export const ListSitesQuery = Type.Object({
    search: Type.Optional(Type.String({ maxLength: 253, description: "a part of the domain, up to 253 characters" })),
    state: Type.Optional(StringEnum(siteStates, `one of ${siteStates.join(", ")}`)),
    ...page("^\\d{1,9}$"),
});

export const ListAgentJobsQuery = Type.Object({
    project: Type.Optional(Type.String({ maxLength: 300, description: "the id of a project" })),
    status: Type.Optional(StringEnum(agentJobStatuses, `one of ${agentJobStatuses.join(", ")}`)),
    ...page("^\\d{1,15}\\.aj_[0-9a-f]{1,64}$"),
});

export const AgentLogQuery = Type.Object({
    from: Type.Optional(
        Type.String({
            pattern: "^-?\\d{1,15}$",
            description: "the number of bytes to skip; a negative number counts from the end of the log",
        }),
    ),
});

export const StatisticsQuery = Type.Object({
    by: Type.Optional(StringEnum(["site", "key"], "site or key (default: site)")),
    days: days("how many days to count, from 1 to 90 (default: 7)"),
});

export const ListFailuresQuery = Type.Object({
    site: Type.Optional(
        Type.String({ maxLength: 253, description: "a site, with its previews, or a part of the domains of sites" }),
    ),
    search: Type.Optional(
        Type.String({
            maxLength: 500,
            description: "a part of the first 500 characters of the errors, in which … stands for any text",
        }),
    ),
    days: days("how many days of failures to group, from 1 to 90 (default: 7)"),
});

const textIn = (what: string) =>
    Type.Optional(Type.String({ maxLength: 300, description: `a part of ${what}, up to 300 characters` }));

export const ListAuditQuery = Type.Object({
    actor: textIn("who did it, such as the name or the id of a key"),
    act: textIn("what was done, such as revoked or the id of a job"),
    site: textIn("the site to which it was done"),
    since: time("the time from which it was done, such as 2026-11-01T10:00:00Z"),
    until: time("the time before which it was done, such as 2026-11-02T10:00:00Z"),
    count,
    ...page("^\\d{1,15}$"),
});

export const ListSessionsQuery = Type.Object(page("^\\d{1,15}\\.ss_[0-9a-f]{1,64}$"));

export const ListKeysQuery = Type.Object({
    search: Type.Optional(
        Type.String({ maxLength: 253, description: "a part of the name, the id or a domain, up to 253 characters" }),
    ),
    limit: limit("all keys"),
    cursor: cursor("^\\d{1,15}\\.ak_[0-9a-f]{1,64}$"),
});

export const CreatedKeysQuery = Type.Object({
    limit: limit("20"),
});

export const UsageQuery = Type.Object({
    domain: Type.Optional(
        Type.String({ maxLength: 253, description: "a domain, to get only the current numbers of its bundles" }),
    ),
});

export const SiteParams = Type.Object({ domain: Type.String() });
export const KeyParams = Type.Object({ keyId: Type.String() });
export const SessionParams = Type.Object({ sessionId: Type.String() });

const maxNames = 1000;

const Scopes = Type.Array(StringEnum(keyScopes, `one of ${keyScopes.join(", ")}`), {
    minItems: 1,
    uniqueItems: true,
    description: `a list of ${keyScopes.join(", ")}`,
});
const Domains = Type.Array(
    Type.String({
        pattern: reachPattern,
        description: "a domain such as docs.example.com, or *.example.com for all hosts below it",
    }),
    { maxItems: maxNames, description: "a list of domains; a key without a list may use all domains" },
);
const Projects = Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
    maxItems: maxNames,
    description: "a list of projects; a key without a list may use all projects, unless it has a list of domains",
});
const ExpiresAt = Time("a time in the future such as 2027-01-31T00:00:00Z");

export const NewKeyBody = Type.Object(
    {
        name: Type.String({
            pattern: "^[A-Za-z\\d][\\w.-]{0,63}$",
            description: "a name of up to 64 letters, digits, dots, dashes and underscores",
        }),
        scopes: Scopes,
        domains: Type.Optional(Domains),
        projects: Type.Optional(Projects),
        expiresAt: Type.Optional(ExpiresAt),
    },
    closed,
);

/** What is missing stays as it is, and null removes a limit. */
export const KeyChangesBody = Type.Object(
    {
        scopes: Type.Optional(Scopes),
        domains: Type.Optional(Nullable(Domains)),
        projects: Type.Optional(Nullable(Projects)),
        expiresAt: Type.Optional(Nullable(ExpiresAt)),
    },
    { minProperties: 1, ...closed },
);

export const RotateLinkSecretQuery = Type.Object({
    graceSeconds: Type.Optional(
        Type.String({
            pattern: "^\\d{1,7}$",
            description:
                "for how many seconds earlier links and sessions continue to work (default: the lifetime of a link " +
                "plus one minute)",
        }),
    ),
});

export const RevokeKeyQuery = Type.Object({
    created: Type.Optional(
        StringEnum(["true"], "true to also revoke the keys that the key created, directly or through other keys"),
    ),
});

export const RotateKeyQuery = Type.Object({
    graceSeconds: Type.Optional(
        Type.String({
            pattern: "^\\d{1,7}$",
            description: "how many seconds the earlier secret is still accepted (default: 0)",
        }),
    ),
});
