import { type HealthAddress } from "@pulumi-static-export/service";
import { freePort } from "@pulumi-static-export/toolchain";

/** Requests a process's health and metrics. */
export class Probe {
    private constructor(readonly health: HealthAddress) {}

    static async create(): Promise<Probe> {
        return new Probe({ host: "127.0.0.1", port: await freePort() });
    }

    async ask(path: string): Promise<{ status: number; text: string }> {
        const response = await fetch(`http://${this.health.host}:${this.health.port}${path}`);
        return { status: response.status, text: await response.text() };
    }

    /** Reads the value of a metric with these labels. */
    async metric(name: string): Promise<number | undefined> {
        const { text } = await this.ask("/metrics");
        const line = text.split("\n").find((each) => each.startsWith(`${name} `));
        return line === undefined ? undefined : Number(line.slice(name.length));
    }
}
