/** Specs that have a longer form, which `npm run test:all` runs: more random cases, larger attacks, every version. */
const paths = [
    "exporter/process/hostile-pages",
    "service/store/random-schedules",
    "service/(connections|hostile-sites)",
    "e2e/interrupts/interrupts-random",
    "e2e/service/(api-conformance|killed-cluster|killed-service|many-connections)",
    "e2e/agent/(interrupts-random|leftovers|restarts)",
    "provider/properties/.*",
    "e2e/preview/change-table",
    "e2e/packages/(matrix|examples|exceptions)",
    "docs/gitlab-pipelines",
    "cli/redaction/planted-secrets",
    "cli/report/long-texts",
];

export const withLongForm = new RegExp(`^tests/(${paths.join("|")})\\.spec\\.ts$`);

/** What makes these specs run in their longer form. A variable that is set already keeps its value. */
export const longForms = {
    HOSTILE_BYTES: "64000",
    CONNECTIONS: "2000",
    SCHEMATHESIS_EXAMPLES: "100",
    KILL_RUNS: "20",
    CLUSTER_KILLS: "20",
    SCHEDULES: "1000",
    FAULT_RUNS: "4000",
    AGENT_FAULT_RUNS: "2000",
    EQUAL_RUNS: "800",
    AGENT_EQUAL_RUNS: "400",
    INTERRUPT_RUNS: "12",
    AGENT_INTERRUPT_RUNS: "6",
    LEFTOVERS: "all",
    REDACTION_RUNS: "3000",
    LONG_TEXT_CHARACTERS: "2000000",
    PREVIEWS: "whole",
    MATRIX: "whole",
};
