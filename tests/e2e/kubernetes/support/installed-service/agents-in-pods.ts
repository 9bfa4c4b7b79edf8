import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { hostInUrl } from "@pulumi-static-export/toolchain";

export const projectId = "docs";

/**
 * Waits for permission to continue, looks for files and variables of the worker, which its pod must not have, and adds its prompt and
 * its findings to a page.
 */
const program = (gate: string): string => `
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
const prompt = readFileSync(0, "utf8").trim();
console.log("The agent works on: " + prompt);
await fetch("${gate}");
const found = readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name)).filter((pid) => {
    try {
        return readFileSync("/proc/" + pid + "/environ", "utf8").includes("postgres://");
    } catch {
        return false;
    }
});
if (existsSync("/var/lib/static-export/agent/logs")) {
    found.push("logs");
}
appendFileSync("log.md", [prompt, ...found].join("\\n") + "\\n");
`;

/** The server at which agents in pods ask for permission to continue. */
export class AgentGate {
    readonly #server: Server;
    #isOpen = false;
    #asked = 0;

    private constructor() {
        this.#server = createServer((_, response) => {
            this.#asked += 1;
            if (this.#isOpen) {
                response.end();
            }
        });
    }

    static async start(host: string): Promise<AgentGate> {
        const gate = new AgentGate();
        await once(gate.#server.listen(0, host), "listening");
        return gate;
    }

    get port(): number {
        return (this.#server.address() as AddressInfo).port;
    }

    /** The command of an agent. */
    get command(): string[] {
        const { address, port } = this.#server.address() as AddressInfo;
        return ["/usr/bin/node", "--input-type=module", "--eval", program(`http://${hostInUrl(address)}:${port}`)];
    }

    /** Resolves when an agent is waiting. */
    async asked(): Promise<void> {
        while (this.#asked === 0) {
            await delay(50);
        }
    }

    /** Lets all agents that ask from now on continue. */
    open(): void {
        this.#isOpen = true;
    }

    stop(): void {
        this.#server.closeAllConnections();
        this.#server.close();
    }
}
