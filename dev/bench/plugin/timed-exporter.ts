import type { Exporter } from "@pulumi-static-export/exporter";

/** Measures the time of each job, because the slowest job takes longer than configured on a busy machine. */
export class TimedExporter implements Exporter {
    slowestMs = 0;
    readonly #exporter: Exporter;

    constructor(exporter: Exporter) {
        this.#exporter = exporter;
    }

    readonly export: Exporter["export"] = async (request, control) => {
        const startedMs = performance.now();
        const exported = await this.#exporter.export(request, control);
        this.slowestMs = Math.max(this.slowestMs, performance.now() - startedMs);
        return exported;
    };
}
