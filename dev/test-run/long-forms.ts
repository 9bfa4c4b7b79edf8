/** Specs that have a longer form, which `npm run test:all` runs: more random cases, larger attacks, every version. */
export const withLongForm =
    /^tests\/(exporter\/process\/hostile-pages|service\/hostile-sites|service\/connections|e2e\/(service\/(killed-service|many-connections|api-conformance)|interrupts\/interrupts-random)|e2e\/agent\/(interrupts-random|leftovers|restarts)|provider\/properties\/.*|e2e\/preview\/change-table|e2e\/packages\/(matrix|examples|exceptions)|docs\/gitlab-pipelines)\.spec\.ts$/;

/** What makes these specs run in their longer form. A variable that is set already keeps its value. */
export const longForms = {
    HOSTILE_BYTES: "128000",
    CONNECTIONS: "2000",
    SCHEMATHESIS_EXAMPLES: "100",
    KILL_RUNS: "30",
    FAULT_RUNS: "5000",
    AGENT_FAULT_RUNS: "2500",
    EQUAL_RUNS: "1000",
    AGENT_EQUAL_RUNS: "500",
    INTERRUPT_RUNS: "15",
    AGENT_INTERRUPT_RUNS: "8",
    PREVIEWS: "whole",
    LEFTOVERS: "all",
    MATRIX: "whole",
};
