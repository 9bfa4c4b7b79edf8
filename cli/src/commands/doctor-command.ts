import { Option } from "commander";
import { statSync } from "node:fs";
import { type CliCommand } from "../command-line/cli-command.js";
import { clientOptions, jsonOption } from "../command-line/options.js";
import { UsageError } from "../command-line/usage-error.js";
import { checkBucket } from "../doctor/check-bucket.js";
import { checkDocumentation, checkParser } from "../doctor/check-documentation.js";
import { checkKubectl, checkNode, checkPulumi, checkTemporaryFiles } from "../doctor/check-machine.js";
import { checkOperation } from "../doctor/check-operation.js";
import { checkPipeline } from "../doctor/check-pipeline.js";
import { checkProject } from "../doctor/check-project.js";
import { checkService } from "../doctor/check-service.js";
import { checkSite } from "../doctor/check-site.js";
import { createExamination, type DoctorOptions, type Examination } from "../doctor/examination.js";
import { type Finding, describeFindings } from "../doctor/finding.js";
import { serviceFlags } from "../serve/service-flags.js";
import { findProjectFile } from "../project/pulumi-project.js";
import { readSettings } from "../doctor/read-settings.js";

/** Checks what `pulumi up`, a writer's folder or a service needs, and says how to fix what is missing. */
export const doctorCommand: CliCommand = {
    name: "doctor",
    summary:
        "Check this machine, and the Pulumi program, documentation or service on it, and say how to fix what is wrong.",
    options: [
        new Option("-C, --cwd <folder>", "folder of the Pulumi program").default("."),
        new Option("-s, --stack <name>", "also read the settings of this stack, as the program would"),
        ...clientOptions,
        new Option("--chart <folder>", "your own chart, instead of the one in the package"),
        new Option("--project <id>", "also check that the key may update the documentation of this project"),
        new Option(
            "--sites-file <file>",
            "also check a service's sites, their repositories, and the sandbox that they need",
        ),
        ...serviceFlags("serve").filter((option) => option.attributeName() === "gitTokenEnv"),
        new Option("--data-dir <folder>", "also check the disk of a service's data folder"),
        new Option("--site <site>", "also list what this exported site (a folder or an archive) sends to other hosts"),
        new Option("--bucket <name>", "bucket of a mirror"),
        new Option("--region <name>", "region of the bucket"),
        new Option("--endpoint <url>", "address of the storage, if it is not AWS"),
        jsonOption("the findings"),
    ],
    exitCodes: { 0: "no errors", 1: "an error that prevents pulumi up, an export or the service from working" },
    notes:
        "The command sends one request to the service, or two with --project, and with --sites-file one to each " +
        "repository. It starts nothing, and changes nothing on this machine.",
    examples: [
        "static-export doctor",
        "static-export doctor --cwd infrastructure --stack production",
        "static-export doctor --project docs.example.com",
        "static-export doctor --site site.tar.gz",
        "static-export doctor --sites-file sites.yaml --data-dir /var/lib/static-export",
        "static-export doctor --bucket docs-bundles --region eu-central-1 --json",
    ],
    run: examine,
};

async function examine(options: DoctorOptions): Promise<number> {
    if (!statSync(options.cwd, { throwIfNoEntry: false })?.isDirectory()) {
        throw new UsageError(`There is no folder ${options.cwd}: pass the folder of the Pulumi program with --cwd.`);
    }
    const findings = await findAll(createExamination(options, process.env));
    console.log(
        options.json ? JSON.stringify(findings, null, 2) : describeFindings(findings, process.stdout, process.env),
    );
    return findings.some(({ status }) => status === "error") ? 1 : 0;
}

async function findAll(examination: Examination): Promise<Finding[]> {
    const { options } = examination;
    const settings = await readSettings(examination);
    const documentation = await checkDocumentation(options.cwd);
    const hasOther = documentation.length > 0 || options.sitesFile !== undefined || options.dataDir !== undefined;
    const isAddressNeeded = !hasOther || findProjectFile(options.cwd) !== undefined;
    const [pulumi, project, service, kubectl, bucket, operation, site] = await Promise.all([
        checkPulumi(examination, hasOther),
        checkProject(examination),
        checkService(options, settings.env, isAddressNeeded),
        checkKubectl(examination),
        checkBucket(options, settings.env),
        checkOperation(examination),
        checkSite(options),
    ]);
    const pipeline = checkPipeline(settings.env);
    return [
        checkNode(examination),
        ...checkTemporaryFiles(),
        pulumi,
        ...project,
        ...settings.findings,
        ...service,
        pipeline,
        kubectl,
        bucket,
        ...documentation,
        ...(documentation.length === 0 ? [] : await checkParser()),
        ...operation,
        ...site,
    ];
}
