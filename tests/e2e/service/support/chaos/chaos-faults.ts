import { setTimeout as delay } from "node:timers/promises";
import { pick, type Random } from "../../../../../dev/bench/random.js";
import { apis, type ChaosService, processNames } from "./chaos-service.js";
import { type FaultyLink, type LinkFault } from "./faulty-link.js";

/** The names of faults; frequent ones are repeated. */
const bag = [
    ...["kill", "kill", "kill", "terminate", "terminate", "suspend", "suspend"],
    ...["restart database", "slow database", "lost connections", "lost connections", "silent database"],
    ...["trickling database", "refused database", "storage", "storage", "storage", "restart storage"],
    ...["clients", "clients", "burst of losses"],
] as const;

type FaultName = (typeof bag)[number];

/** Faults that happen at the same time, each to other parts. */
export class ChaosFaults {
    readonly #service: ChaosService;
    readonly #random: Random;
    readonly #violate: (what: string) => void;
    readonly #running = new Set<Promise<void>>();
    /** The parts that a fault uses, which no other fault may use. */
    readonly #busy = new Set<string>();
    readonly counts: Record<string, number> = {};
    /** When each fault began and ended. */
    readonly events: string[] = [];
    /** The slowest end after SIGTERM, beyond the allowed grace, in milliseconds. */
    slowestEndMs = 0;

    constructor(service: ChaosService, random: Random, violate: (what: string) => void) {
        [this.#service, this.#random, this.#violate] = [service, random, violate];
    }

    /** Begins a random fault now and then. @param failovers - how many of the faults are failovers, evenly spread */
    async beginFor(ms: number, failovers: number): Promise<void> {
        const startedMs = performance.now();
        for (let failedOver = 0, passedMs = 0; passedMs < ms; passedMs = performance.now() - startedMs) {
            await delay(2000 + this.#random() * 9000);
            if (failedOver < failovers && passedMs > ((failedOver + 0.7) / (failovers + 0.7)) * ms) {
                failedOver += this.#beginFailover() ? 1 : 0;
            } else {
                this.#begin(pick(this.#random, bag));
            }
        }
    }

    /** Resolves when every fault has ended. */
    async end(): Promise<void> {
        await Promise.all(this.#running);
    }

    #between(least: number, most: number): number {
        return least + this.#random() * (most - least);
    }

    /** Runs a fault, unless another one uses the part. @returns whether it began */
    #use(part: string, name: string, fault: () => Promise<void>): boolean {
        if (this.#busy.has(part)) {
            return false;
        }
        this.#busy.add(part);
        this.counts[name] = (this.counts[name] ?? 0) + 1;
        const note = (what: string) => this.events.push(`${new Date().toISOString()} ${name} of ${part} ${what}`);
        note("begins");
        const running = fault()
            .catch((error: unknown) => this.#violate(`${name} of ${part}: ${String(error)}`))
            .finally(() => {
                note("ends");
                this.#busy.delete(part);
                this.#running.delete(running);
            });
        this.#running.add(running);
        return true;
    }

    #beginFailover(): boolean {
        return this.#use("database", "failover", () =>
            this.#service.failOver(() => delay(this.#between(5000, 20_000))),
        );
    }

    #begin(name: FaultName): void {
        const chosen = this.#service.process(pick(this.#random, processNames));
        const ms = this.#between(4000, 30_000);
        const onDatabases = (fault: LinkFault, lasts: number) =>
            this.#use(`databases of ${chosen.name}`, name, () => damaged(chosen.databases, fault, lasts));
        switch (name) {
            case "kill":
            case "terminate":
                this.#use(chosen.name, name, async () => {
                    const tookMs = await chosen.end(name === "kill" ? "SIGKILL" : "SIGTERM");
                    const beyondMs = tookMs - chosen.endsWithinMs;
                    this.slowestEndMs = Math.max(this.slowestEndMs, Math.round(tookMs));
                    if (beyondMs > 0) {
                        this.#violate(`${chosen.name} needed ${Math.round(tookMs)} ms to end after SIGTERM.`);
                    }
                    await delay(this.#between(500, 4500));
                    chosen.restart();
                });
                break;
            case "suspend":
                this.#use(chosen.name, name, async () => {
                    chosen.suspend();
                    // Workers lose their jobs after 35 seconds.
                    await delay(this.#random() < 0.5 ? this.#between(2000, 10_000) : this.#between(40_000, 60_000));
                    chosen.resume();
                });
                break;
            case "restart database":
                this.#use("database", name, () => {
                    const wait = () => delay(this.#random() < 0.5 ? 200 : this.#between(3000, 15_000));
                    return this.#service.restartDatabase(pick(this.#random, ["SIGINT", "SIGQUIT"]), wait);
                });
                break;
            case "slow database":
                onDatabases({ kind: "latency", ms: this.#between(50, 450) }, ms);
                break;
            case "silent database":
                onDatabases({ kind: "silence" }, this.#between(4000, 54_000));
                break;
            case "trickling database":
                onDatabases({ kind: "trickle", bytes: 1 + Math.floor(this.#random() * 7) }, ms / 3);
                break;
            case "refused database":
                onDatabases({ kind: "refusal" }, ms / 2);
                break;
            case "lost connections":
            case "burst of losses":
                this.#use(`databases of ${chosen.name}`, name, async () => {
                    for (let loss = 0; loss < (name === "burst of losses" ? 10 : 1); loss += 1) {
                        chosen.databases.forEach((link) => link.reset());
                        await delay(300);
                    }
                });
                break;
            case "storage": {
                const isPublic = this.#random() < 0.15;
                const link = isPublic ? this.#service.publicStorage : chosen.storage;
                const kinds: readonly [LinkFault, ...LinkFault[]] = [
                    { kind: "silence" },
                    { kind: "503" },
                    { kind: "trickle", bytes: 300 },
                    { kind: "latency", ms: this.#between(300, 1200) },
                    { kind: "refusal" },
                ];
                const fault = pick(this.#random, kinds);
                const part = `storage of ${isPublic ? "clients" : chosen.name}`;
                this.#use(part, name, () => damaged([link], fault, ms));
                break;
            }
            case "restart storage":
                this.#use("storage", name, () => this.#service.restartStorage(() => delay(ms / 2)));
                break;
            case "clients": {
                const link = this.#service.process(pick(this.#random, apis)).clients!;
                const kinds: readonly [LinkFault, ...LinkFault[]] = [
                    { kind: "silence" },
                    { kind: "refusal" },
                    { kind: "trickle", bytes: 5 },
                    { kind: "latency", ms: 200 },
                ];
                this.#use(`clients at ${link.port}`, name, () => damaged([link], pick(this.#random, kinds), ms / 3));
            }
        }
    }
}

async function damaged(links: readonly FaultyLink[], fault: LinkFault, ms: number): Promise<void> {
    links.forEach((link) => link.damage(fault));
    await delay(ms);
    links.forEach((link) => link.heal());
}
