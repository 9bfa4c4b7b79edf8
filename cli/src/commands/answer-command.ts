import { Option } from "commander";
import { type AnswerOptions } from "../answer/answer.js";
import { type CliCommand } from "../command-line/cli-command.js";
import { hostOption } from "../command-line/listening-host.js";
import { clientNotes, clientOptions, readPort, readWholeNumber, siteArgument } from "../command-line/options.js";

/** Serves search and MCP for programs that read a site. */
export const answerCommand: CliCommand = {
    name: "answer",
    summary: "Serve search, pages and MCP of an exported site to programs until Ctrl-C.",
    arguments: [siteArgument()],
    options: [
        new Option("--port <number>", "port to listen on; 0 picks a free one").argParser(readPort).default(8788),
        hostOption(),
        new Option("--domain <domain>", "answer for this domain only (default: for any)"),
        new Option("--groups-header <name>", "header with a reader's groups, set by a proxy that signs readers in"),
        new Option("--groups-separator <text>", "separator between groups").default(","),
        new Option("--user-header <name>", "header that is not empty for a reader who is signed in"),
        new Option("--pod-files", "read the site from the folder of a pod of the chart documentation-site"),
        new Option(
            "--assistant-endpoint <url>",
            "address of an OpenAI-compatible endpoint, such as http://ollama:11434/v1",
        ),
        new Option("--assistant-model <name>", "the endpoint's model that answers readers' questions"),
        new Option("--assistant-support <address>", "e-mail address or URL for questions that the pages do not answer"),
        new Option("--assistant-requests <number>", "maximum number of questions from one reader per minute")
            .argParser(readLimit)
            .default(20),
        new Option("--assistant-total <number>", "maximum number of questions from all readers per hour")
            .argParser(readLimit)
            .default(1000),
        new Option("--assistant-tokens <number>", "maximum number of tokens for one answer")
            .argParser(readLimit)
            .default(100_000),
        new Option("--assistant-seconds <number>", "maximum time for one answer").argParser(readLimit).default(120),
        new Option(
            "--proxies <number>",
            "number of proxies in front of the server that add their client's address to X-Forwarded-For",
        )
            .argParser(readLimit)
            .default(0),
        new Option(
            "--log-questions",
            "print each question, and whether the pages answered it (default: none is stored)",
        ),
        ...clientOptions,
    ],
    exitCodes: {
        0: "stopped by SIGTERM",
        2: "wrong usage, or no exported site was found",
        5: "a job's bundle could not be fetched",
        130: "stopped by Ctrl-C",
    },
    notes:
        "The server stores nothing and reads only the site, so any number of copies may serve one site. Without the " +
        "headers of a proxy, the server answers only from pages for everybody. The proxy has to set both headers on " +
        "every request, whatever the visitor sent.\n\nWith --assistant-endpoint and --assistant-model, a model " +
        "answers readers' questions from the pages that they may read. The endpoint's key is read from " +
        `STATIC_EXPORT_ASSISTANT_API_KEY.\n\n${clientNotes} The address and the key are needed only for the id of a job.`,
    examples: [
        "static-export answer site",
        "static-export answer site --groups-header X-Forwarded-Groups --user-header X-Forwarded-User",
    ],
    run: async (place: string, options: AnswerOptions) =>
        // The server is imported here, because loading it would slow down the other commands.
        (await import("../answer/answer.js")).answer(place, options),
};

function readLimit(text: string): number {
    return readWholeNumber(text, 0, 999_999_999);
}
