/** The assistant's counters in this process, in Prometheus's text format. */
export class AssistantMetrics {
    readonly #counts = new Map<string, number>(Object.keys(help).map((name) => [name, 0]));

    add(name: MetricName, value = 1): void {
        this.#counts.set(name, (this.#counts.get(name) ?? 0) + value);
    }

    text(): string {
        return [...this.#counts]
            .map(([name, value]) => {
                const full = `static_export_assistant_${name}`;
                return `# HELP ${full} ${help[name as MetricName]}\n# TYPE ${full} counter\n${full} ${value}\n`;
            })
            .join("");
    }
}

export type MetricName = keyof typeof help;

const help = {
    questions_total: "Questions that were asked.",
    unanswered_total: "Questions that the pages did not answer.",
    failed_total: "Questions that the endpoint failed to answer.",
    refused_total: "Questions beyond a reader's limit.",
    input_tokens_total: "Tokens that the endpoint read.",
    output_tokens_total: "Tokens that the endpoint wrote.",
    answer_seconds_total: "Time from a question to the end of its answer.",
};
