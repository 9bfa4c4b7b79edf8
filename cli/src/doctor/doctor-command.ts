import { Command } from "commander";
import { statSync } from "node:fs";
import { exitAsCheck } from "../exit-as-check.js";
import { checkBucket } from "./check-bucket.js";
import { checkKubectl, checkNode, checkPulumi } from "./check-machine.js";
import { checkProject } from "./check-project.js";
import { checkService } from "./check-service.js";
import { createExamination, type DoctorOptions, type Examination } from "./examination.js";
import { type Finding } from "./finding.js";
import { describeFindings } from "./print-findings.js";
import { readSettings } from "./read-settings.js";
import { UsageError } from "../usage-error.js";

const help = `
It sends one request to the service, which starts nothing, and changes nothing on this machine.
Exit codes: 0 no errors, 1 an error that prevents pulumi up from working, 2 wrong usage.

Examples:
  $ static-export doctor
  $ static-export doctor --cwd infrastructure --stack production
  $ static-export doctor --bucket docs-bundles --region eu-central-1 --json
`;

/** Checks everything that `pulumi up` needs, and says how to fix what is missing. */
export function createDoctorCommand(): Command {
    return exitAsCheck(new Command("doctor"))
        .description("Check this machine, the Pulumi program and the settings, and say how to fix what is wrong.")
        .option("-C, --cwd <folder>", "folder of the Pulumi program", ".")
        .option("-s, --stack <name>", "also read the settings of this stack, as the program would")
        .option("--base-url <url>", "address of the service (default: STATIC_EXPORT_BASE_URL)")
        .option("--admin-key-file <file>", "file with the admin API key (default: STATIC_EXPORT_ADMIN_API_KEY)")
        .option("--chart <folder>", "your own chart, instead of the one in the package")
        .option("--bucket <name>", "bucket of a mirror")
        .option("--region <name>", "its region")
        .option("--endpoint <url>", "address of the storage, if it is not AWS")
        .option("--json", "print the findings as JSON")
        .addHelpText("after", help)
        .action(async (options: DoctorOptions) => {
            if (!statSync(options.cwd, { throwIfNoEntry: false })?.isDirectory()) {
                throw new UsageError(
                    `There is no folder ${options.cwd}: pass the folder of the Pulumi program with --cwd.`,
                );
            }
            const findings = await examine(createExamination(options, process.env));
            console.log(
                options.json
                    ? JSON.stringify(findings, null, 2)
                    : describeFindings(findings, process.stdout, process.env),
            );
            process.exitCode = findings.some(({ status }) => status === "error") ? 1 : 0;
        });
}

async function examine(examination: Examination): Promise<Finding[]> {
    const { options } = examination;
    const settings = await readSettings(examination);
    const [pulumi, project, service, kubectl, bucket] = await Promise.all([
        checkPulumi(examination),
        checkProject(examination),
        checkService(options, settings.env),
        checkKubectl(examination),
        checkBucket(options, settings.env),
    ]);
    return [checkNode(examination), pulumi, ...project, ...settings.findings, ...service, kubectl, bucket];
}
