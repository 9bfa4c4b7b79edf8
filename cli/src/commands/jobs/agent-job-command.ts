import { agentJobStatuses } from "@pulumi-static-export/contract";
import { Argument, Option } from "commander";
import {
    type AgentJobOptions,
    archiveJob,
    createJob,
    listJobs,
    sendMessage,
    showJob,
    showLog,
    waitForJob,
} from "../../agent-job/agent-job.js";
import { type CliCommand, type ExitCodes } from "../../command-line/cli-command.js";
import { clientNotes, clientOptions, jsonOption, readSeconds, readWholeNumber } from "../../command-line/options.js";

const exitCodes: ExitCodes = {
    0: "completed; without --wait: the request succeeded",
    1: "failed",
    3: "timed out",
    4: "archived",
    5: "a request failed",
};

const common = [
    new Option("--project <id>", "the project of the job").makeOptionMandatory(),
    ...clientOptions,
    jsonOption("the job"),
];
const waiting = [
    ...common,
    new Option("--timeout-seconds <seconds>", "how long to wait").argParser(readSeconds).default(3600),
];
const prompting = [
    ...waiting,
    new Option("--prompt <text>", "what the agent should do"),
    new Option("--prompt-file <file>", "file with the prompt; - is standard input"),
    new Option("--wait", "wait until the job is done, and exit with its exit code"),
];
const id = new Argument("<id>", "the job");

/** Works with any service that has the admin API. */
export const agentJobCommand: CliCommand = {
    name: "agent-job",
    summary: "Create agent jobs and follow them.",
    exitCodes,
    notes: clientNotes,
    examples: [
        'static-export agent-job create --project docs --prompt "Describe the new endpoint" --wait',
        "static-export agent-job create --project docs --prompt-file - < prompt.txt",
        'static-export agent-job message --project docs aj_42 --prompt "Shorter, please" --wait',
        "static-export agent-job show --project docs aj_42 --json",
    ],
    subcommands: [
        {
            name: "create",
            summary: "create a job",
            options: prompting,
            exitCodes,
            run: (options: AgentJobOptions) => createJob(options),
        },
        {
            name: "show",
            summary: "show the current status of a job",
            arguments: [id],
            options: common,
            exitCodes,
            run: (job: string, options: AgentJobOptions) => showJob(job, options),
        },
        {
            name: "list",
            summary: "list jobs of the self-hosted service, the newest first",
            options: [
                new Option("--project <id>", "only jobs of this project (default: all projects of the key)"),
                new Option("--status <status>", "only jobs in this status").choices(agentJobStatuses),
                new Option("--limit <count>", "how many, up to 1000")
                    .argParser((text) => readWholeNumber(text, 1, 1000))
                    .default(20),
                ...clientOptions,
                jsonOption("the jobs"),
            ],
            exitCodes,
            run: listJobs,
        },
        {
            name: "log",
            summary: "print the output of a job's agent (only from the self-hosted service)",
            arguments: [id],
            options: [new Option("--project <id>", "the project of the job").makeOptionMandatory(), ...clientOptions],
            exitCodes,
            run: showLog,
        },
        {
            name: "wait",
            summary: "wait until a job is done",
            arguments: [id],
            options: waiting,
            exitCodes,
            run: (job: string, options: AgentJobOptions) => waitForJob(job, options),
        },
        {
            name: "message",
            summary: "send a further prompt to a job",
            arguments: [id],
            options: prompting,
            exitCodes,
            run: (job: string, options: AgentJobOptions) => sendMessage(job, options),
        },
        {
            name: "archive",
            summary: "archive a job, and stop an agent that works on it",
            arguments: [id],
            options: common,
            exitCodes,
            run: (job: string, options: AgentJobOptions) => archiveJob(job, options),
        },
    ],
};
