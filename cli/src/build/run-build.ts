import { type DeploymentType, isDomain } from "@pulumi-static-export/contract";
import { createBeside } from "@pulumi-static-export/contract/create-beside";
import { type ExportError, type ExportLimits } from "@pulumi-static-export/exporter";
import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { InterruptedError, withInterruption } from "../command-line/interruption.js";
import { type PrivatePagesSettings, readPrivatePages } from "../command-line/options.js";
import { UsageError } from "../command-line/usage-error.js";
import { printJob } from "../export/describe-job.js";
import { describeWarnings } from "../export/describe-warnings.js";
import { failedExitCode } from "../export/exit-codes.js";
import { createProgressDisplay } from "../export/progress-display.js";
import { type BuilderOptions, readBuilderSettings } from "./builder-settings.js";
import { pageLimits } from "./page-limits.js";
import { BuilderError, runBuilder } from "./run-builder.js";
import { writeZip } from "./write-zip.js";

/** The options of `build`, parsed. */
export interface BuildOptions extends PrivatePagesSettings, BuilderOptions {
    output?: string;
    /** Whether to replace whatever is in the output folder. */
    force: boolean;
    /** The file for the site as a zip archive. */
    zip?: string;
    domain: string;
    /** The base path, as `parseBasePath` returns it. */
    basePath?: string;
    version?: string;
    path?: string[];
    /** Whether the folder is finished HTML; undefined to find out. */
    prebuilt?: boolean;
    deployment: DeploymentType;
    answer: boolean;
    strict: boolean;
    json?: boolean;
    /** A file for all warnings. */
    warnings?: string;
}

/** Without a terminal, an export that takes less time prints no progress. */
const firstLineMs = 10_000;

/** The whole export has no limit for time or disk space. */
const limits: ExportLimits = {
    ...pageLimits,
    cores: availableParallelism(),
    jobTimeoutMs: Infinity,
    diskMegabytes: Infinity,
};

/**
 * Exports a folder in a separate process, as the service does. Creates only `output` and `zip`, which appear complete
 * or not at all; in the folder of an earlier build, only changed files are replaced.
 * @throws UsageError
 */
export async function runBuild(folder: string, options: BuildOptions): Promise<number> {
    const { command, outputFolder, baseFolder, ...others } = options;
    const builder = await readBuilderSettings(folder, options);
    const exported = builder === undefined ? folder : join(folder, builder.baseFolder, builder.outputFolder);
    await assertBuildable(folder, exported, options);
    const temporary = await mkdtemp(join(tmpdir(), "static-export-build-"));
    try {
        return await withInterruption(async (signal) => {
            if (builder !== undefined) {
                await runBuilder(folder, builder, signal);
            }
            const prebuilt = builder === undefined ? others : { ...others, prebuilt: true };
            return build(resolve(exported), prebuilt, { temporary, signal });
        });
    } catch (error) {
        if (error instanceof BuilderError) {
            reportFailure(error, folder, options.json);
            return failedExitCode;
        }
        if (!(error instanceof InterruptedError)) {
            throw error;
        }
        console.error(`error: ${error.message}`);
        return error.exitCode;
    } finally {
        await rm(temporary, { recursive: true, force: true });
    }
}

async function build(
    sourceDir: string,
    { output, zip, domain, path, json, warnings, access, publishGroups, ...options }: BuildOptions,
    { temporary, signal }: { temporary: string; signal: AbortSignal },
): Promise<number> {
    // Imported here, because loading the exporter would slow down the other commands.
    const { moveSite, recordFiles } = await import("./output-folder.js");
    const { ExportError, ProcessExporter } = await import("@pulumi-static-export/exporter");
    const display = createProgressDisplay(process.stderr, process.env, { firstLineMs });
    const exporter = new ProcessExporter(limits);
    const staging = output === undefined ? temporary : await createBeside(output);
    const [workDir, outDir] = [join(temporary, "work"), join(staging, "site")];
    await mkdir(workDir);
    try {
        const request = {
            domain,
            sourceDir,
            excludedDirs: output === undefined ? [staging] : [staging, resolve(output)],
            workDir,
            cacheDir: join(temporary, "cache"),
            outDir,
        };
        const result = await exporter.export(
            {
                ...options,
                ...request,
                privatePages: readPrivatePages({ access, publishGroups }),
                ...(path && { paths: path }),
                ...(warnings !== undefined && { warningsFile: resolve(warnings) }),
            },
            {
                signal,
                onProgress: (progress, pageCount) =>
                    display.show(basename(sourceDir), { status: "running", progress, pageCount }),
            },
        );
        display.end();
        if (zip !== undefined) {
            await writeZip(outDir, resolve(zip), folderInZip(zip), signal);
        }
        if (output !== undefined) {
            await recordFiles(outDir);
            await moveSite(outDir, output);
        }
        printJob({ status: "completed", ...result }, json, {
            ...(output !== undefined && { folder: output }),
            ...(zip !== undefined && { zip }),
        });
        return 0;
    } catch (error) {
        display.end();
        if (!(error instanceof ExportError)) {
            throw error;
        }
        reportFailure(error, sourceDir, json);
        return failedExitCode;
    } finally {
        await exporter.close();
        await rm(staging, { recursive: true, force: true });
    }
}

/** The folder in the archive: `out/docs.zip` unpacks into `docs`. */
function folderInZip(zip: string): string {
    return basename(zip).replace(/\.zip$/i, "") || "site";
}

function reportFailure(
    { message: given, detail, warnings }: Pick<ExportError, "message" | "detail" | "warnings">,
    folder: string,
    isJson: boolean | undefined,
): void {
    // The exporter names files relative to the site's folder.
    const message = given.replace(/^\.(?=: )/, () => folder);
    if (isJson) {
        printJob({ status: "failed", error: message, ...(warnings && { warnings }) }, isJson);
    } else if (warnings !== undefined) {
        console.log(describeWarnings(warnings).join("\n"));
    }
    console.error(`error: ${message}${detail === undefined ? "" : `\n${detail}`}`);
}

/** @param exported the folder to export, which a builder may not have written yet */
async function assertBuildable(
    folder: string,
    exported: string,
    { domain, output, zip, access, force, warnings }: BuildOptions,
): Promise<void> {
    if (!isDomain(domain)) {
        throw new UsageError(`--domain ${domain}: it must be a host name only, such as docs.example.com.`);
    }
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
        throw new UsageError(`There is no folder ${resolve(folder)}.`);
    }
    const { isWithin, realPlace } = await import("@pulumi-static-export/exporter");
    if (zip !== undefined) {
        if (access === true) {
            throw new UsageError(
                "--zip cannot be used with --access: anyone who has an archive can read all of it. Leave out " +
                    "--access, or include the private pages with --publish-groups.",
            );
        }
        if (zip === "" || existsSync(zip)) {
            throw new UsageError(zip === "" ? "--zip must name a file." : `${zip} exists: choose another --zip.`);
        }
    }
    if (warnings !== undefined && existsSync(warnings) && !isListOfWarnings(warnings)) {
        throw new UsageError(`${warnings} exists, and is not a list of warnings: choose another --warnings.`);
    }
    for (const [option, file] of Object.entries({ warnings, zip })) {
        if (file === undefined) {
            continue;
        }
        // The next export would publish a file in the site's folder.
        if (isWithin(realPlace(resolve(exported)), realPlace(resolve(file)))) {
            throw new UsageError(
                `${file} is inside ${exported}, whose files are published: choose a --${option} outside that folder.`,
            );
        }
        if (!statSync(dirname(resolve(file)), { throwIfNoEntry: false })?.isDirectory()) {
            throw new UsageError(`--${option} ${file}: there is no folder ${dirname(resolve(file))}.`);
        }
    }
    if (output === undefined) {
        return;
    }
    const { assertReplaceable } = await import("./output-folder.js");
    const isInside = isWithin(realPlace(resolve(exported)), realPlace(resolve(output)));
    // With --force, a wrong name would delete pages.
    assertReplaceable(output, exported, force && !isInside);
    // In a project whose pages are in its own folder, the output is next to them. Exports skip exported sites.
    if (isInside && realPlace(resolve(exported)) !== realPlace(resolve("."))) {
        throw new UsageError(
            `${output} is inside ${exported}, whose files are pages: choose an --output outside that folder.`,
        );
    }
}

/** Whether an earlier build wrote the file, which may also have found nothing. */
function isListOfWarnings(file: string): boolean {
    try {
        const [first = ""] = readFileSync(file, "utf8").split("\n", 1);
        return first === "" || typeof (JSON.parse(first) as { kind?: unknown }).kind === "string";
    } catch {
        return false;
    }
}
