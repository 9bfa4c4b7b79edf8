/** Specs that run only in `npm run test:all`: they take minutes, and few changes break only them. */
const filesOnlyInAll = [
    "answer/(inspector|python-client)",
    "dev/bench/(growth|polling|publish|search|shown-pages|site-export)",
    "dev/toolchain/(ensure-go-tool|main|pulumi|third-party-notices)",
    "docs/(clouds/.*|gitlab-comment|gitlab-pipelines)",
    "e2e/agent/(attacks|interrupts(-random)?|leftovers)",
    "e2e/bucket-site/(bad-input|releases-and-purge)",
    "e2e/engine/(engine-options|resource-hooks)",
    "e2e/interrupts/interrupts-(concurrent|random)",
    "e2e/kubernetes/(air-gapped|cluster|earlier-export|examples|installed-service|many-sites|plugin-languages)",
    "e2e/kubernetes/(private-pages|refused-bundle|restart|rollout|self-hosted)",
    "e2e/packages/(examples|exceptions|image-notices|matrix|missing-parts|own-project)",
    "e2e/plugin/(archives|component-options|interrupts|moving)",
    "e2e/plugin/languages/(generated-packages|(go|java|node|python)-guide)",
    "e2e/(bundle-mirror/mirror-process|init-programs|policy/compliance)",
    "e2e/preview/(change-table|programs)",
    "e2e/quickstart",
    "e2e/redaction/(pull-request-check|redacted-preview)",
    "e2e/release/.*",
    "e2e/(clear-settings|traces|upgrade)",
    "e2e/service/(api-conformance|failover|killed-cluster|many-connections|previous-release)",
    "exporter/(process/long-texts|browser/(assistant|features))",
    "service/database/(cut-link|failover)",
    "cli/(pdf/pdf|serve-deployment)",
    "(cli/publish/azure|sdk/publish/(killed-processes|storages))",
];

/** Specs that have a longer form: more random cases, larger attacks, every version, every page. */
const filesWithLongForm = [
    "answer/private-questions",
    "exporter/render/body/damaged-cache",
    "exporter/write/page-groups",
    "exporter/process/hostile-pages",
    "exporter/browser/analytics",
    "charts/bundle/(bundle-cases|fetch-bundle)",
    "service/jobs/random-schedules",
    "service/(database/(damaged-data|query-plans)|exports/hostile-sites|http/connections)",
    "e2e/lost-machines/lost-machines",
    "e2e/service/killed-service",
    "e2e/(documentation-update|file-triggers|static-export-bundle)",
    "e2e/(plugin/languages/yaml-program|policy/violations)",
    "e2e/agent/(agent-job-resource|restarts|runs)",
    "e2e/interrupts/interrupts",
    "provider/properties/.*",
    "docs/(commands|programs)",
    "(sdk/publish/folder|e2e/bucket-site/bucket-site)",
    "cli/redaction/planted-secrets",
    "cli/report/long-texts",
];

/** Specs that attack: with hostile texts, sites, agents and forges, damage on disk, secrets planted everywhere. */
const filesOfAttacks = [
    "charts/hostile-values",
    "cli/redaction/planted-secrets",
    "cli/report/long-texts",
    "e2e/(engine/engine-options|plugin/(component-options|reads))",
    "e2e/agent/(attacks|leftovers|pull-requests|sandbox)",
    "exporter/read/access/.*",
    "exporter/write/(kept-apart-pages|private-pages|unused-files)",
    "exporter/read/markdown/hostile-texts",
    "exporter/render/body/damaged-cache",
    "exporter/process/(hostile-pages|long-texts)",
    "plugin/components/resource-options",
    "provider/bundle-mirror/hostile-archives",
    "service/(agents/(kept-logs|mirror-size|sandbox)|forge/.*|git/.*|storage/damaged-bundles)",
    "service/(database/damaged-data|exports/(hostile-sites|site-checkouts|site-from-repository))",
    "service/(http/(connections|idempotency)|keys/admin-keys)",
];

const matching = (paths: readonly string[]) => new RegExp(`^tests/(${paths.join("|")})\\.spec\\.ts$`);
const onlyInAll = matching(filesOnlyInAll);
const withLongForm = matching(filesWithLongForm);
const ofAttacks = matching(filesOfAttacks);

/** Whether `npm test` runs a file. */
export function isInTest(file: string): boolean {
    return !onlyInAll.test(file);
}

/** Whether `npm run test:all` runs a file. */
export function isInAll(file: string): boolean {
    return onlyInAll.test(file) || withLongForm.test(file);
}

/** Whether `npm run test:attack` runs a file. */
export function isInAttack(file: string): boolean {
    return ofAttacks.test(file);
}

/**
 * The environment variables that make these specs run in their longer form. A variable that is already set keeps its
 * value.
 */
export const longForms = {
    ROWS: "all",
    HOSTILE_BYTES: "64000",
    CONNECTIONS: "2000",
    SCHEMATHESIS_EXAMPLES: "100",
    SERVICE_KINDS: "all",
    KILL_RUNS: "10",
    CLUSTER_KILLS: "44",
    KILL_DOMAINS: "40",
    KILL_JOBS: "500",
    POD_KILLS: "14",
    SCHEDULES: "1000",
    FAULT_RUNS: "10000",
    AGENT_FAULT_RUNS: "2000",
    UPDATE_FAULT_RUNS: "2000",
    EQUAL_RUNS: "800",
    AGENT_EQUAL_RUNS: "400",
    LOST_MACHINES: "whole",
    INTERRUPTIONS: "every",
    INTERRUPT_RUNS: "4",
    AGENT_INTERRUPT_RUNS: "2",
    AGENT_KILLS: "8",
    UPDATE_ROUNDS: "3",
    LEFTOVERS: "all",
    CACHE_FLIPS: "1000",
    EDIT_RUNS: "20",
    DATA_FLIPS: "200",
    QUERY_ROWS: "1000000",
    REDACTION_RUNS: "3000",
    LONG_TEXT_CHARACTERS: "2000000",
    MIRROR_SPEC_MIB: "512",
    PRIVATE_QUESTIONS: "1000",
    PAGES: "whole",
    RELEASE_KILLS: "50",
    SITE_STORAGES: "all",
};

/** The same for `npm run test:attack`, with even more cases. */
export const attackForms = {
    ...longForms,
    AGENT_KILLS: "20",
    CACHE_FLIPS: "5000",
    DATA_FLIPS: "1000",
    REDACTION_RUNS: "20000",
    LONG_TEXT_CHARACTERS: "8000000",
};
