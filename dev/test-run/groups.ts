import { readdirSync } from "node:fs";

/** Spec files that run in one mocha process, at the same time as the other groups. */
export interface Group {
    readonly name: GroupName;
    readonly files: readonly string[];
    /** The number of files that run at the same time. */
    readonly jobs: number;
    /** The timeout for one hook or spec. It is long, because the machine may be busy: it only stops specs that hang. */
    readonly timeoutMs: number;
    /** Whether it runs only on Linux, as root, with the tools that `prepare-tools.ts` installs. */
    readonly needsTools: boolean;
}

export type GroupName = "unit" | "processes" | "engine" | "packages" | "browser" | "cluster";

interface Rule extends Omit<Group, "files"> {
    /** A file belongs to the first group whose rule matches it. */
    readonly matches: RegExp;
}

const minute = 60_000;
const under = (...paths: string[]) => new RegExp(`^tests/(${paths.join("|")})`);

/**
 * Grouped by what the specs wait for. A new spec that starts no process belongs to the unit specs, without an entry
 * here.
 */
const rules: readonly Rule[] = [
    {
        // They use one cluster, one after another, because they change its nodes and count its pods.
        name: "cluster",
        matches: under("e2e/kubernetes/"),
        jobs: 1,
        timeoutMs: 10 * minute,
        needsTools: true,
    },
    {
        // Specs with a browser, and specs of limits on time, memory, disk or connections, run one at a time.
        name: "browser",
        matches: under(
            "cli/(dev/in-the-browser|pdf/pdf)\\.spec",
            "exporter/browser/",
            "exporter/process/hostile-pages\\.spec",
            "service/(exports/(full-disk|hostile-sites)|http/connections)\\.spec",
            "exporter/render/layout/(around-the-page|reading-direction)\\.spec",
            "e2e/(service/many-connections|scale)\\.spec",
            "dev/bench/(search|shown-pages)\\.spec",
        ),
        jobs: 1,
        timeoutMs: 10 * minute,
        needsTools: true,
    },
    {
        // They pack the packages once, and install them repeatedly from npm's cache.
        name: "packages",
        matches: under("e2e/packages/", "docs/gitlab-pipelines\\.spec"),
        jobs: 1,
        timeoutMs: 15 * minute,
        needsTools: true,
    },
    {
        // These specs mostly wait for the engine, which mostly waits for processes.
        name: "engine",
        matches: under(
            "(e2e|docs|charts)/",
            "cli/(doctor|publish)/",
            "dev/toolchain/kubernetes-provider\\.spec",
            "provider/bundle-mirror/(ambient-credentials|earlier-copies|forced-replacement|hostile-archives)\\.spec",
            "provider/bundle-mirror/lifecycle\\.spec",
            "provider/bundle-check/bundle-check-mirror\\.spec",
            "provider/bucket-site/lifecycle\\.spec",
            "(sdk/publish/(azure|bucket|cloud-front|storages)|dev/bench/publish)\\.spec",
            "service/(monitoring/worker-health|storage/(bucket-service|bundles-in-bucket))\\.spec",
            // They run on SQLite, and on a PostgreSQL server that is downloaded for them.
            "service/(database/|keys/|exports/export-attempts|agents/(ended-agent-jobs|prompt-attempts)|jobs/(random-schedules|retention-rounds))",
        ),
        jobs: 3,
        timeoutMs: 10 * minute,
        needsTools: true,
    },
    {
        // These specs start our own processes or servers, let code run into its limits, or try random damage. They take
        // seconds, and need no tools.
        name: "processes",
        matches: under(
            "admin-api/",
            "cli/(build|completion|dev|export)/",
            "cli/(redaction/planted-secrets|report/long-texts)\\.spec",
            "cli/compare/compare\\.spec",
            "cli/(agent-job|answer|data-folder|hidden-environment|key|mistakes|preview-report|redact-state|serve|serve-deployment)\\.spec",
            "dev/(api-reference|architecture|bench|quickstart|toolchain)/",
            "dev/test-run/run(-group)?\\.spec",
            "policy/(lean-sdk|pack-process)\\.spec",
            "provider/(bundle-check/bundle-check-end|documentation-site/light-entry)\\.spec",
            "provider/(properties/|static-export-job/lost-machines\\.spec)",
            "sdk/publish/folder\\.spec",
            "exporter/render/body/damaged-cache\\.spec",
            "exporter/process/(long-texts|process-exporter)\\.spec",
            "exporter/render/(components/component-code|script/(page-code|regular-expressions)|modules/snippets)\\.spec",
            "service/(agents|exports|git|http|jobs|monitoring)/",
            "service/(roles/service-options|storage/damaged-bundles)\\.spec",
        ),
        jobs: 2,
        timeoutMs: 10 * minute,
        needsTools: false,
    },
    // One process per core, because each loads the libraries again, which takes a tenth of the time of all specs.
    { name: "unit", matches: /./, jobs: 2, timeoutMs: minute, needsTools: false },
];

/** Files that take minutes. They start first, so that none runs alone at the end while the other core is idle. */
const long = under(
    "docs/(commands|programs)",
    "e2e/(quickstart|static-export-bundle|interrupts|lost-machines/|preview/|agent/|policy/|service/killed-)",
);

/** The spec files, in their groups; the groups that take longest first. */
export function groupSpecs(files: readonly string[]): Group[] {
    const ruleOf = (file: string) => rules.find(({ matches }) => matches.test(file));
    const place = (file: string) => (long.test(file) ? 0 : 1);
    return rules
        .map(({ matches: _, ...rule }) => ({
            ...rule,
            files: files
                .filter((file) => ruleOf(file)?.name === rule.name)
                .sort((one, other) => place(one) - place(other) || one.localeCompare(other)),
        }))
        .filter((group) => group.files.length > 0);
}

/** Every spec file of this checkout. */
export function findSpecs(): string[] {
    return readdirSync("tests", { recursive: true, encoding: "utf8" })
        .map((name) => `tests/${name.replaceAll("\\", "/")}`)
        .filter((name) => name.endsWith(".spec.ts"));
}
