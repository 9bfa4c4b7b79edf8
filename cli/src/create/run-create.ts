import { filesOfSeparateProject, runCommand } from "@pulumi-static-export/contract/package-manager";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { docsFolder, findSite } from "../build/find-site.js";
import { InterruptedError } from "../command-line/interruption.js";
import { UsageError } from "../command-line/usage-error.js";
import {
    commandPackage,
    enterFolder,
    installCommands,
    keyFileOfService,
    stackCommands,
} from "../init/next-commands.js";
import { addPackages } from "../init/add-packages.js";
import { type Project, writeProject } from "../init/project-files.js";
import {
    assertDomain,
    type InitOptions,
    nextSteps,
    ownService,
    printCommands,
    printSteps,
    readProject,
    writeFiles,
    writeManifest,
} from "../init/run-init.js";
import { onEndOfNpm } from "../serve/npm-process.js";
import { completeOptions } from "./ask.js";
import { type CreateOptions, type Kind } from "./create-options.js";

/** Writes, installs and starts a project. Returns the exit code. @throws UsageError */
export async function runCreate(folder: string, given: CreateOptions): Promise<number> {
    let options;
    try {
        options = await completeOptions(given, process.stdin.isTTY && process.stdout.isTTY);
    } catch (error) {
        if (error instanceof InterruptedError) {
            return error.exitCode;
        }
        throw error;
    }
    const { kind, domain = "docs.example.com", install, start, port } = options;
    assertDomain(domain);
    assertUsed(options);
    const program = kind === "pulumi" ? readProject(folder, withDefaults({ ...options, domain })) : undefined;
    await mkdir(folder, { recursive: true });
    const installation = async (): Promise<string[]> => {
        const command = await commandPackage(folder, install);
        return program === undefined ? addPackages(folder, command, true) : installCommands(folder, program, command);
    };
    const isOwnService = program === undefined || program.baseUrl === ownService;
    const found = findSite(folder);
    const site = found ?? docsFolder;
    const serve = ["serve", "--site", `${domain}=${site === "." ? "." : `./${site}`}`];
    const show = site === "." ? ["dev"] : ["dev", site];
    // Reports an unsuitable package manager before anything is written.
    const commands = await installation();
    const programFiles = program === undefined ? {} : writeProject(program);
    await writeFiles(folder, {
        ...(isOwnService && found === undefined ? { [`${docsFolder}/index.md`]: firstPage } : {}),
        ...filesOfSeparateProject(folder),
        ...projectFiles(folder, kind, { show, serve, site, domain: given.domain }),
        ...programFiles,
        ...(program !== undefined && site === "." ? { ".mintignore": ignoredByExports(programFiles) } : {}),
    });
    if (isOwnService && found !== undefined) {
        console.log(`The site is the folder ${join(folder, found)}, which already exists.`);
    }
    for (const each of install ? commands : []) {
        console.log(`$ ${each}`);
        if ((await runIn(folder, each, [], true)) !== 0) {
            // pnpm also exits with 1 if it has installed everything, and left out scripts of packages.
            if ((await installation()).length === 0) {
                console.error(`warning: ${each} reports an error, above, but has installed the packages.`);
                continue;
            }
            console.error(`error: ${each} failed; its output is above. Run it in ${folder} to continue.`);
            return 1;
        }
        if (installsPackages(each) && (await installation()).some(installsPackages)) {
            console.error(
                `error: ${each} has installed nothing. Package managers leave out development packages if NODE_ENV is ` +
                    `production, or as npm's option omit says. Change that, and run the command in ${folder}.`,
            );
            return 1;
        }
    }
    if (program !== undefined) {
        printProgram(folder, program, isOwnService ? serve : undefined, install ? [] : commands);
        return 0;
    }
    const started = kind === "writer" ? show : serve;
    if (!start) {
        printSteps(nextSteps, [...enterFolder(folder), ...(install ? [] : commands), ownCommand(folder, started)]);
        return 0;
    }
    console.log(`$ ${ownCommand(folder, started)}`);
    const withPort = port === undefined ? started : [...started, "--port", String(port)];
    return runIn(folder, process.execPath, [process.argv[1] ?? "", ...withPort], false);
}

/** Plugins are installed by other commands. */
function installsPackages(command: string): boolean {
    return /^(?:npm|pnpm|yarn) /.test(command);
}

/** @throws UsageError for options that only programs of Pulumi have */
function assertUsed({ kind, ...options }: CreateOptions & { kind: Kind }): void {
    const unused = (["for", "language", "bucket", "chart"] as const).filter((name) => options[name] !== undefined);
    if (kind !== "pulumi" && unused.length > 0) {
        throw new UsageError(`--${unused.join(", --")} cannot be used with --kind ${kind}, only with --kind pulumi.`);
    }
}

function withDefaults(options: CreateOptions & { domain: string }): InitOptions {
    return { ...options, for: options.for ?? "export", language: options.language ?? "typescript" };
}

function ownCommand(folder: string, args: readonly string[]): string {
    return runCommand(folder, `static-export ${args.join(" ")}`);
}

/** @param serve - the command of the own service, which runs in another terminal */
function printProgram(
    folder: string,
    program: Project,
    serve: readonly string[] | undefined,
    installation: readonly string[],
): void {
    if (serve !== undefined) {
        const after = installation.length > 0 ? ", after the installation" : "";
        printSteps(`In another terminal${after}:`, [...enterFolder(folder), ownCommand(folder, serve)]);
    }
    const keyFile = serve === undefined ? undefined : keyFileOfService;
    printCommands([...enterFolder(folder), ...installation, ...stackCommands(program, keyFile)]);
}

/** Runs a program until it ends, and passes signals on. @returns its exit code */
async function runIn(folder: string, program: string, args: readonly string[], shell: boolean): Promise<number> {
    const child = spawn(program, args, { cwd: folder, stdio: "inherit", shell });
    // A terminal sends Ctrl-C to the child, too.
    const wait = (): void => undefined;
    const end = (): void => void child.kill("SIGTERM");
    process.on("SIGINT", wait);
    process.on("SIGTERM", end);
    onEndOfNpm(process.env, end);
    try {
        const [exitCode] = (await once(child, "close")) as [number | null];
        return exitCode ?? 1;
    } catch (error) {
        throw new UsageError(`${program} cannot be started: ${(error as Error).message}.`);
    } finally {
        process.off("SIGINT", wait);
        process.off("SIGTERM", end);
    }
}

const firstPage = `---
title: Welcome
---

This page is the file docs/index.md: change it, and the browser shows the change.

- A new file \`docs/install.md\` becomes the page \`/install\`.
- \`docs/docs.json\` can set the site's name, colours and navigation.
`;

/** If the program is in the site's folder, exports leave out its files, and those that Pulumi's commands write. */
function ignoredByExports(files: Readonly<Record<string, string>>): string {
    const names = Object.keys(files).filter((name) => !name.startsWith("."));
    return [...names, "sdks/", "static-export-plugin/", ""].map((name) => name && `/${name}`).join("\n");
}

interface Steps {
    readonly show: readonly string[];
    readonly serve: readonly string[];
    readonly site: string;
    readonly domain: string | undefined;
}

/** Returns the files with the commands of a project by name. */
function projectFiles(folder: string, kind: Kind, { show, serve, site, domain }: Steps): Record<string, string> {
    // A folder site/ that exists has other content.
    const output = existsSync(join(folder, "site")) ? "exported-site" : "site";
    const scripts: Readonly<Record<Kind, Record<string, string>>> = {
        writer: {
            dev: ["static-export", ...show].join(" "),
            build: `static-export build ${site} --output ${output}${domain === undefined ? "" : ` --domain ${domain}`}`,
        },
        pulumi: {},
        service: { start: ["static-export", ...serve].join(" ") },
    };
    return {
        "package.json": writeManifest(folder, scripts[kind]),
        ".gitignore": `node_modules/\n${output}/\n.static-export/\n`,
    };
}
