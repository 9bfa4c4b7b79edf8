import {
    count,
    file,
    flag,
    type FlagsOf,
    forge,
    graceSeconds,
    hostAndPort,
    networks,
    type OptionSpec,
    type OptionsOf,
    pairs,
    podStep,
    projects,
    seconds,
    timerSeconds,
    variableNames,
    words,
    proxyAddress,
} from "./option.js";

/** The numeric options of exports, each a whole number of at least 1. */
export const limitTable = {
    /** How many export jobs run at the same time, over all domains; at most one per domain. */
    concurrency: flag(
        "--concurrency <count>",
        { work: "jobs that run at once in this process" },
        { default: 2, read: count },
    ),
    linkTtlSeconds: flag("--link-ttl-seconds <seconds>", "how long a bundle link works", {
        default: 3600,
        read: seconds,
    }),
    jobTimeoutSeconds: flag(
        "--job-timeout-seconds <seconds>",
        "time limit of one export, without its fetch and build",
        {
            default: 900,
            read: timerSeconds,
        },
    ),
    /** Time limit of one page. */
    pageTimeoutSeconds: { default: 30, read: timerSeconds },
    /** The process may use half a gigabyte more. */
    exportMemoryMegabytes: flag("--export-memory-mb <megabytes>", "heap size of one export process", {
        default: 1024,
        read: count,
    }),
    exportCores: flag(
        "--export-cores <count>",
        "cores that one export uses (default: all cores, divided by the number of concurrent exports)",
        { read: count },
    ),
    exportDiskMegabytes: flag(
        "--export-disk-mb <megabytes>",
        "disk for the output of one export and the cache of its site",
        { default: 4096, read: count },
    ),
    /** The next exports of sites whose caches were removed render every page again. */
    cacheDiskMegabytes: flag(
        "--cache-disk-mb <megabytes>",
        "disk space for the caches of all sites: if they need more, the least used caches are removed",
        { default: 2048, read: count },
    ),
    gitStallSeconds: flag(
        "--git-stall-seconds <seconds>",
        "end a fetch or push of git that makes no progress for this long",
        { default: 300, read: timerSeconds },
    ),
    /** How many agent jobs and messages one project may create per hour. */
    agentStartsPerHour: { default: 100, read: count },
    maxQueuedJobs: flag(
        "--max-queued-jobs <count>",
        { serve: "maximum number of queued jobs; beyond it, starts get 429" },
        { default: 500, read: count },
    ),
    maxQueuedJobsPerDomain: { default: 50, read: count },
    keepDays: flag("--keep-days <days>", "remove finished jobs and bundles that were unused for this long", {
        default: 90,
        read: count,
    }),
    keepJobs: flag("--keep-jobs <count>", "number of finished jobs to keep for each domain", {
        default: 200,
        read: count,
    }),
} as const satisfies Record<string, OptionSpec>;

const bucketHelp =
    "store bundles and agents' logs in object storage, s3://name/prefix; the AWS SDK finds the credentials";
const endpointHelp = "URL of the storage (default: AWS in AWS_REGION)";
const publicEndpointHelp = "URL at which clients reach the storage, if it differs";
const everywhere = (text: string) => ({ serve: text, work: text, migrate: text });

/**
 * The options of the service and its workers, in the order of the help. The flags of the command, their help and the
 * types of options are read from this table; a spec compares the guide and the charts with it.
 */
export const optionTable = {
    sites: flag(
        "--site <domain=folder>",
        {
            serve:
                "enable static export of a domain, or of a path such as example.com/docs, from this folder of Markdown, " +
                "or from a repository: git+https://git.example.com/acme/docs.git#main:guides (repeatable)",
            work: "folder of Markdown of a domain, or its repository, as for `serve` (repeatable)",
        },
        { read: pairs("docs.example.com=./docs") },
    ),
    /** Read again every five seconds. */
    sitesFile: flag(
        "--sites-file <file>",
        "file with a line such as docs.example.com=./docs for each site, or YAML that also allows builds; its " +
            "changes apply without a restart",
        { read: file },
    ),
    buildsShareNetwork: flag(
        "--builds-share-network",
        "let sites' builds use this machine's network, with everything that the service reaches (default: public " +
            "addresses only, if passt is installed, and otherwise none)",
        { default: false },
    ),
    buildsReach: flag(
        "--builds-reach <network>",
        "private IPv4 address or network, such as 10.1.2.0/24, that sites' builds reach as well (repeatable)",
        { read: networks },
    ),
    buildsNeedKernel: flag(
        "--builds-need-kernel",
        "fail builds on a machine whose kernel does not enforce all of their limits, for sites of strangers",
        { default: false },
    ),
    pods: flag(
        "--pods <file>",
        {
            work:
                "file with the image and settings of the pods in which builds or agents run, each as a Job of this " +
                "cluster",
        },
        { read: file },
    ),
    podsListen: flag(
        "--pods-listen <host:port>",
        { work: "address at which pods of builds and agents fetch checkouts" },
        { read: hostAndPort, default: { host: "::", port: 8790 }, defaultText: "[::]:8790" },
    ),
    podStep: flag(
        "--pod-step <step>",
        { work: "in a pod of a build or an agent: receive the checkout, or send the output, without a database" },
        { read: podStep },
    ),
    gitTokenEnv: flag(
        "--git-token-env <origin=name>",
        "environment variable with the token, or user:password, for sites in repositories of an origin " +
            "(repeatable)",
        { read: pairs("https://git.example.com=DOCS_GIT_TOKEN") },
    ),
    /** Contains the database, the bundles, the caches and the secret that signs links; created if missing. */
    dataDir: flag(
        "--data-dir <folder>",
        {
            serve: "folder for jobs, bundles and secrets",
            work:
                "folder for work files and caches; without --bucket, the services' folder, which also contains the " +
                "bundles. Each worker of agents needs its own",
        },
        { default: ".static-export" },
    ),
    /**
     * A service with a shared database runs no exports: workers run them. Bundles must be shared as well, by `bucket`
     * or by one data folder.
     */
    database: flag(
        "--database <url>",
        {
            serve: "PostgreSQL database, postgres://…: keep jobs here; exports then run in `static-export work`",
            work: "PostgreSQL database, postgres://…: take jobs from here",
            migrate: "PostgreSQL database, postgres://…: set this one up",
        },
        { env: "STATIC_EXPORT_DATABASE_URL" },
    ),
    bucketUrl: flag("--bucket <url>", everywhere(bucketHelp)),
    bucketEndpoint: flag("--bucket-endpoint <url>", everywhere(endpointHelp)),
    bucketPublicEndpoint: flag("--bucket-public-endpoint <url>", everywhere(publicEndpointHelp)),
    adminKeyFile: flag(
        "--admin-key-file <file>",
        { serve: "file with the admin API key (default: admin-api-key in the data folder, created if missing)" },
        { read: file },
    ),
    ...limitTable,
    /** Whether the service has pages for people, at `/dashboard`. */
    dashboard: flag("--no-dashboard", { serve: "do not serve the dashboard at /dashboard" }),
    oidcIssuer: flag("--oidc-issuer <url>", {
        serve:
            "identity provider (OpenID Connect) with which people sign in to the dashboard, by its issuer's " +
            "address",
    }),
    oidcClientId: flag("--oidc-client-id <id>", { serve: "id of this service as a client of the provider" }),
    oidcClientSecretFile: flag("--oidc-client-secret-file <file>", {
        serve: "file with the client's secret (default: a public client)",
    }),
    oidcGroupsFile: flag("--oidc-groups-file <file>", {
        serve:
            'JSON file with the rights of each group: {"docs-team": {"scopes": ["read", "export"], "domains": ' +
            '["docs.example.com"]}}',
    }),
    oidcGroupsClaim: flag(
        "--oidc-groups-claim <name>",
        { serve: "claim with a person's groups" },
        { default: "groups" },
    ),
    oidcScope: flag("--oidc-scope <scopes>", { serve: "scopes of the request" }, { default: "openid profile email" }),
    oidcSessionMinutes: flag(
        "--oidc-session-minutes <minutes>",
        { serve: "after this time, people sign in again" },
        { default: 60, read: count },
    ),
    publicUrl: flag("--public-url <url>", {
        serve: "address that clients use, if the service is behind a proxy",
        work: "the service's address, to which pull requests of agents link",
    }),
    trustedProxies: flag(
        "--trusted-proxy <address>",
        {
            serve:
                "address or range, such as 10.0.0.0/8, of a proxy whose X-Forwarded-For names the client in the log " +
                "(repeatable; default: proxies on this machine)",
        },
        { read: proxyAddress },
    ),
    previewDomains: flag(
        "--preview-domain <domain=domain>",
        {
            serve:
                "preview branches of this site in a repository, each under a name below the other domain " +
                "(repeatable; default: previews get 403)",
        },
        { read: pairs("docs.example.com=previews.example.com") },
    ),
    webhookSecretFile: flag(
        "--webhook-secret-file <file>",
        {
            serve:
                "file with the secret of webhooks of GitHub, GitLab, Gitea or Forgejo, which start updates (default: " +
                "webhooks get 403)",
        },
        { read: file },
    ),
    /** How often the heartbeat of a running job is stored. */
    tickMs: { default: 10_000, read: count },
    /** Each response then closes its connection, so that clients move to another service. */
    drainMs: flag(
        "--grace-seconds <seconds>",
        {
            serve: "after a signal, time in which requests are still answered, so that clients move to another service",
        },
        { default: 0, read: graceSeconds },
    ),
    closeMs: flag(
        "--grace-seconds <seconds>",
        { work: "after a signal, time for running exports to end before other workers take them" },
        { default: 0, read: graceSeconds },
    ),
    strict: flag("--strict", "fail jobs of sites that have warnings, such as dead links", { default: false }),
    projects: flag(
        "--agent-project <id=repository#branch>",
        "enable agent jobs for a project in this repository (repeatable)",
        { read: projects },
    ),
    agentCommand: flag(
        "--agent-command <command>",
        "command that runs the prompts of agent jobs, without a shell: words separated by spaces, or a JSON array",
        { read: words },
    ),
    agentSandbox: flag(
        "--agent-sandbox",
        "run the command with bubblewrap, without the files and the memory of this process (Linux)",
    ),
    agentEnv: flag("--agent-env <name>", "environment variable to pass to the agent (repeatable)", {
        read: variableNames,
    }),
    agentTimeLimitSeconds: flag("--agent-time-limit-seconds <seconds>", "time limit of one prompt", {
        default: 1800,
        read: timerSeconds,
    }),
    agentMemoryMegabytes: flag("--agent-memory-mb <megabytes>", "memory of one prompt's processes (default: 4096)", {
        read: count,
    }),
    agentCommitName: flag("--agent-commit-name <name>", "author and committer of agents' commits", {
        default: "Documentation agent",
    }),
    agentCommitEmail: flag("--agent-commit-email <address>", "their email address, as the forge knows it", {
        default: "agent@static-export.invalid",
    }),
    agentCommitMessage: flag(
        "--agent-commit-message <template>",
        "message of agents' commits, with the ids {job} and {project}",
        { default: "Change the documentation (agent job {job})" },
    ),
    agentSigningKey: flag(
        "--agent-signing-key <file>",
        "private SSH key without a passphrase, with which git signs agents' commits",
        { read: file },
    ),
    agentPrLink: flag("--agent-pr-link <template>", "template for a pull request's address, with {branch}"),
    agentForge: flag(
        "--agent-forge <kind=api>",
        "open pull requests through this API of GitHub, GitLab, Gitea or Forgejo",
        {
            read: forge,
        },
    ),
    agentForgeTokenEnv: flag("--agent-forge-token-env <name>", "environment variable that holds the forge's token"),
    health: flag(
        "--health <host:port>",
        "serve /livez, /readyz and /metrics at this address, without a key (default: nowhere)",
        { read: hostAndPort },
    ),
} as const satisfies Record<string, OptionSpec>;

export type { OptionSpec, ServiceCommand } from "./option.js";

export type LimitOptions = OptionsOf<typeof limitTable>;

/** The options, as programs give them. */
export type TableOptions = OptionsOf<typeof optionTable>;

/** The options, as commands get them. */
export type FlagSettings = FlagsOf<typeof optionTable>;
