import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { ensurePulumi, ensureTool, freePort, run } from "@pulumi-static-export/toolchain";
import { startCommand, type RunningCommand } from "../../e2e/support/run-command.js";
import { withoutSettings } from "../../e2e/support/without-settings.js";
import { isLong } from "../../scale.js";
import { kubernetesProviderFolder } from "../../support/kubernetes-provider.js";
import { root } from "./documents.js";

/** The default port of readers' services. */
const defaultPort = "8787";

/** The default addresses of `serve` and `answer`, which never run at the same time. */
const defaultAddress = /\b127\.0\.0\.1:878[78]\b/g;

/** Commands that run until a signal. */
const service = /\bstatic-export(?:-cli\S*)? (?:serve|answer|dev|create(?= --kind (?:writer|service)))\b(?! --help)/;

/** The state of a terminal between commands: variables, functions and the current folder. */
const session = `set -a; . "$SESSION"
remember_session() { export -p; declare -f; echo cd "'$PWD'"; }
trap 'remember_session > "$SESSION"' EXIT
set -e -m -o pipefail`;

/** The initial program in the reader's folder, for pages that contain no program. */
const program = `import * as pulumi from "@pulumi/pulumi";
import { StaticExportBundle } from "pulumi-static-export";

const bundle = new StaticExportBundle("docs", { domain: "docs.example.com" });
export const { jobId, bundleUrl } = bundle;
`;

/**
 * Follows one page, command by command, like a user with two terminals in one folder: services run in the first
 * terminal, each until the next starts, and other commands run in the second.
 *
 * The folder contains the files that pages require: a Pulumi program with a stack, `docs/`, `examples/` and `charts/`,
 * and packages that resolve like installed packages. The reader has no cluster.
 */
export class Reader {
    private service: RunningCommand | undefined;

    private constructor(
        private readonly folder: string,
        private readonly port: string,
        private readonly env: NodeJS.ProcessEnv,
        /** Contains the files that a page names; the services of the first terminal run here. */
        private readonly project = folder,
    ) {}

    /**
     * @param workIn - the folder of the copied checkout in which the page's commands run
     * @param settings - additional variables of the reader's environment
     */
    static async open(workIn = ".", settings: NodeJS.ProcessEnv = {}): Promise<Reader> {
        const options = { onProgress: (line: string) => console.log(line) };
        const { env } = await ensurePulumi(options);
        const helm = isLong ? [dirname(await ensureTool("helm", options))] : [];
        await mkdir(join(root, ".e2e"), { recursive: true });
        const folder = await mkdtemp(join(root, ".e2e", "docs-"));
        const reader = new Reader(folder, String(await freePort()), {
            ...process.env,
            ...withoutSettings,
            ...env,
            PATH: [...helm, await kubernetesProviderFolder(), env["PATH"]].join(":"),
            PULUMI_HOME: join(folder, ".home"),
            PULUMI_BACKEND_URL: `file://${join(folder, ".state")}`,
            PULUMI_CONFIG_PASSPHRASE: "docs",
            PULUMI_SKIP_CONFIRMATIONS: "true",
            // A separate spec checks the types of the pages' programs.
            PULUMI_NODEJS_TRANSPILE_ONLY: "true",
            STATIC_EXPORT_JOURNAL_DIR: join(folder, ".journal"),
            KUBECONFIG: join(folder, ".no-cluster"),
            ...settings,
        });
        await mkdir(join(folder, ".state"));
        for (const copied of ["docs", "examples"]) {
            await cp(join(root, copied), join(folder, copied), { recursive: true });
        }
        await symlink(join(root, "charts"), join(folder, "charts"));
        await reader.write("index.ts", program);
        await reader.write("package.json", '{ "name": "docs", "private": true, "main": "index.ts" }\n');
        await reader.write("Pulumi.yaml", "name: docs\nruntime: nodejs\n");
        await reader.write(
            "tsconfig.json",
            '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true }, "files": ["index.ts"] }\n',
        );
        await writeFile(join(folder, ".session"), "");
        const { exitCode, output } = await reader.run(workIn === "." ? "pulumi stack init dev" : `cd ${workIn}`);
        if (exitCode !== 0) {
            throw new Error(`The reader's folder could not be prepared:\n${output}`);
        }
        return reader;
    }

    /**
     * Works in an empty folder outside of the checkout, with an empty home directory and without the settings of
     * `open`. A Pulumi CLI that was built with cgo finds the home directory in /etc/passwd, so PULUMI_HOME is set.
     *
     * @param project - its subfolder for the page's files and the services
     * @param settings - additional variables of the reader's environment
     */
    static async openEmpty(project: string, settings: NodeJS.ProcessEnv): Promise<Reader> {
        const { env } = await ensurePulumi({ onProgress: (line) => console.log(line) });
        const folder = await mkdtemp(join(tmpdir(), "static-export-reader-"));
        const home = join(folder, "home");
        await mkdir(home);
        const variables = {
            ...process.env,
            ...withoutSettings,
            ...env,
            ...{
                HOME: home,
                PULUMI_HOME: join(home, ".pulumi"),
                PULUMI_BACKEND_URL: undefined,
                XDG_STATE_HOME: undefined,
            },
            ...{ PULUMI_CONFIG_PASSPHRASE: undefined, PULUMI_SKIP_CONFIRMATIONS: "true" },
            ...settings,
        };
        const reader = new Reader(folder, String(await freePort()), variables, join(folder, project));
        await writeFile(join(folder, ".session"), "");
        return reader;
    }

    async write(file: string, text: string): Promise<void> {
        await mkdir(dirname(join(this.project, file)), { recursive: true });
        await writeFile(join(this.project, file), text);
    }

    /** Saves the folder's current content. @returns a function that restores it */
    async save(): Promise<() => Promise<void>> {
        await this.stopService();
        const project = relative(this.folder, this.project);
        const script = (text: string) =>
            run("bash", ["-O", "dotglob", "-O", "extglob", "-ec", text, project], { cwd: this.folder });
        await script("mkdir .saved; mv !(.saved) .saved");
        return async () => {
            await this.stopService();
            // Links to the installed packages are sufficient, because npm replaces files but does not change them.
            await script(
                'rm -rf !(.saved); cp -a .saved/!("$0") .; mkdir "$0"; ' +
                    'cp -a .saved/"$0"/!(node_modules) "$0"; cp -al .saved/"$0"/node_modules "$0"',
            );
        };
    }

    /** Runs the commands of one block, and returns the output. */
    async follow(text: string): Promise<{ exitCode: number | null; output: string }> {
        let seen = "";
        for (const commands of text.split(/\n{2,}/)) {
            const { exitCode, output } = service.test(commands) ? await this.serve(commands) : await this.run(commands);
            seen += output.replaceAll(`127.0.0.1:${this.port}`, `127.0.0.1:${defaultPort}`);
            if (exitCode !== 0) {
                return { exitCode, output: seen };
            }
        }
        return { exitCode: 0, output: seen };
    }

    async leave(): Promise<void> {
        await this.stopService();
        await rm(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }

    private async serve(commands: string): Promise<{ exitCode: number; output: string }> {
        await this.stopService();
        const script = commands.replace(service, `$& --port ${this.port}`);
        this.service = this.start(script, this.project);
        return { exitCode: 0, output: (await this.service.seen(/[^]*Press Ctrl-C to stop\./))[0] };
    }

    private async stopService(): Promise<void> {
        const { service } = this;
        this.service = undefined;
        if (service?.child.exitCode === null) {
            process.kill(-service.child.pid!, "SIGINT");
        }
        await service?.result;
    }

    private run(commands: string): RunningCommand["result"] {
        return this.start(`${session}\n${commands}`).result;
    }

    private start(commands: string, cwd = this.folder): RunningCommand {
        const script = commands.replaceAll(defaultAddress, `127.0.0.1:${this.port}`);
        return startCommand("bash", ["-c", script], {
            cwd,
            env: { ...this.env, SESSION: join(this.folder, ".session") },
        });
    }
}
