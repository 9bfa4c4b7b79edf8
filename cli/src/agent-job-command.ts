import { Command } from "commander";
import { type AgentJobOptions, archiveJob, createJob, sendMessage, showJob, waitForJob } from "./agent-job.js";
import { exitAsCheck } from "./exit-as-check.js";
import { readSeconds } from "./serve-options.js";

const help = `
Exit codes: 0 completed, 1 failed, 2 wrong usage or settings, 3 timed out, 4 archived, 5 a request failed.
Without --wait, create, message, show and archive exit with 0 when the request succeeded.

Address and key come from STATIC_EXPORT_BASE_URL and STATIC_EXPORT_ADMIN_API_KEY, as in Pulumi programs.

Examples:
  $ static-export agent-job create --project docs --prompt "Describe the new endpoint" --wait
  $ static-export agent-job create --project docs --prompt-file - < prompt.txt
  $ static-export agent-job message --project docs aj_42 --prompt "Shorter, please" --wait
  $ static-export agent-job show --project docs aj_42 --json
`;

/** The `agent-job` commands, for any service with the admin API. */
export function createAgentJobCommand(): Command {
    return exitAsCheck(new Command("agent-job"))
        .description("Create agent jobs and follow them.")
        .addHelpText("after", help)
        .addCommand(prompting("create", "create a job").action(async (options: AgentJobOptions) => createJob(options)))
        .addCommand(
            about("show", "show the current status of a job").action(async (id: string, options: AgentJobOptions) =>
                showJob(id, options),
            ),
        )
        .addCommand(
            waiting(about("wait", "wait until a job is done")).action(async (id: string, options: AgentJobOptions) =>
                waitForJob(id, options),
            ),
        )
        .addCommand(
            prompting("message", "send a further prompt to a job")
                .argument("<id>", "the job")
                .action(async (id: string, options: AgentJobOptions) => sendMessage(id, options)),
        )
        .addCommand(
            about("archive", "archive a job; if an agent is working on it, it is stopped").action(
                async (id: string, options: AgentJobOptions) => archiveJob(id, options),
            ),
        );
}

function common(name: string, description: string): Command {
    return exitAsCheck(new Command(name))
        .description(description)
        .showHelpAfterError(`(see static-export agent-job ${name} --help)`)
        .requiredOption("--project <id>", "the project of the job")
        .option("--base-url <url>", "address of the service (default: STATIC_EXPORT_BASE_URL)")
        .option("--admin-key-file <file>", "file with the admin API key (default: STATIC_EXPORT_ADMIN_API_KEY)")
        .option("--json", "print the job as JSON");
}

function about(name: string, description: string): Command {
    return common(name, description).argument("<id>", "the job");
}

function waiting(command: Command): Command {
    return command.option("--timeout-seconds <seconds>", "how long to wait", readSeconds, 3600);
}

function prompting(name: string, description: string): Command {
    return waiting(common(name, description))
        .option("--prompt <text>", "what the agent should do")
        .option("--prompt-file <file>", "file with the prompt; - is standard input")
        .option("--wait", "wait until the job is done, and exit with its exit code");
}
