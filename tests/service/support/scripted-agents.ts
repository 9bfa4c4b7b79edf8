import { type AgentOptions } from "@pulumi-static-export/service";
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { waitUntil } from "../../wait-until.js";

const run = promisify(execFile);

/** The result of a prompt: a pull request, no change, or an error. */
export type AgentEnd = "changed" | "unchanged" | "failed";

const scripts: Record<AgentEnd, string> = { changed: "date +%N >> index.md", unchanged: "true", failed: "exit 1" };

/** Agents that the service's real runner starts; each runs until the spec ends its job, or the service has gone. */
export class ScriptedAgents {
    readonly #ends: string;
    readonly #prompts: string;
    /** Contains one commit on `main`. */
    readonly repository: string;

    private constructor(folder: string) {
        this.#ends = join(folder, "ends");
        this.#prompts = join(folder, "prompts");
        this.repository = pathToFileURL(join(folder, "repository")).href;
    }

    /** @param parent - the parent folder of `agents` */
    static async create(parent: string): Promise<ScriptedAgents> {
        const folder = join(parent, "agents");
        const agents = new ScriptedAgents(folder);
        const git = (...args: string[]) => run("git", ["-C", join(folder, "repository"), ...args]);
        for (const name of ["repository", "ends", "prompts"]) {
            await mkdir(join(folder, name), { recursive: true });
        }
        await writeFile(join(folder, "repository", "index.md"), "# Welcome\n");
        await git("init", "--quiet", "--initial-branch=main");
        await git("add", ".");
        await git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "First");
        return agents;
    }

    /** Returns the service's options for agents, whose pull requests have the links from `linkOf`. */
    get options(): AgentOptions {
        // The run's folder is named after the job.
        const script = `job=\${HOME%/home}; job=\${job##*/}; job=\${job%-*}
            number=$(ls '${this.#prompts}' | grep -c $job); cat > '${this.#prompts}'/$job.$number.part
            mv '${this.#prompts}'/$job.$number.part '${this.#prompts}'/$job.$number
            until [ -e '${this.#ends}'/$job ]; do kill -0 $PPID && [ -d '${this.#ends}' ] || exit 1; sleep 0.05; done
            end=$(cat '${this.#ends}'/$job); rm '${this.#ends}'/$job; eval "$end"`;
        return {
            command: ["sh", "-c", script],
            pullRequests: { kind: "link", template: "https://forge.example.com/pulls/{branch}" },
            concurrency: 10,
        };
    }

    linkOf(id: string): string {
        return `https://forge.example.com/pulls/agent/${id}`;
    }

    /** Ends the current prompt of the job's agent, or the next prompt if there is none. */
    async end(id: string, end: AgentEnd): Promise<void> {
        await writeFile(join(this.#ends, id), scripts[end]);
    }

    /** Returns the prompts that agents have read for the job, oldest first. */
    async prompts(id: string): Promise<string[]> {
        const names = (await readdir(this.#prompts)).filter((name) => name.startsWith(id) && !name.endsWith(".part"));
        return Promise.all(names.sort().map((name) => readFile(join(this.#prompts, name), "utf8")));
    }

    async hasPrompts(id: string, count: number): Promise<void> {
        await waitUntil(`${count} prompts of job ${id}`, async () => (await this.prompts(id)).length === count);
    }
}
